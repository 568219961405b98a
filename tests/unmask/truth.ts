/** What only the harness knows: who did what. The thief is judged by it and never sees it. */
import type { Person } from './town.ts'

export interface Truth {
  people: Person[]
  /** Numbers of companies to their ids. */
  companies: string[]
  /** Account ids to people; those that left are gone. */
  accounts: Map<string, number>
  /** When something of somebody's account was last written: they joined, confirmed their address or got a credential. */
  accountWrites: Map<number, number>
  /** People with a credential, or who had one. */
  holders: Set<number>
  /** People who keep their secret for other devices. */
  vaults: Set<number>
  ratings: Map<string, { person: number; company: string }>
  posts: Map<string, Post>
  /** Rows that say that an address was confirmed. */
  badges: Map<string, { person: number; company: string; at: number }>
  roomPosts: Map<string, RoomPost>
  /** People whose real browser refused its issuer keys. */
  refusingLists: Set<number>
  /** Each write of a rating in the order of time, as the public numbers must not show it. */
  ratingWrites: { at: number; person: number; company: string; stars: string }[]
}

/** Of a rating that was taken back. */
export const NO_STARS = ''

export interface Post {
  kind: 'thread' | 'comment'
  /** Undefined for somebody without an account. */
  person: number | undefined
  thread: string
  company: string | undefined
  /** Public, as all of these but the person. */
  minute: number
  name: string
  /** The company that its writer has shown to work for. */
  badge?: string | undefined
}

/** What a rating, post, badge or post of a room is about. */
export const companyOf = ({ ratings, posts, badges, roomPosts }: Truth, id: string) =>
  [ratings, posts, badges, roomPosts].map((rows) => rows.get(id)?.company).find(Boolean)

export interface RoomPost {
  person: number
  company: string
  thread: string
  at: number
}

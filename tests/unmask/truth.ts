/** What only the test knows: who did what. The thief is judged by it and never sees it. */
import type { Person } from './town.ts'

export interface Truth {
  people: Person[]
  /** Company IDs by number. */
  companies: string[]
  /** People by account ID, without those who left. */
  accounts: Map<string, number>
  /** When each person's account was last written: they joined, confirmed their address or got a credential. */
  accountWrites: Map<number, number>
  /** People who have, or had, a credential. */
  holders: Set<number>
  ratings: Map<string, { person: number; company: string }>
  /** By the hash of the key that finds it. */
  pays: Map<string, { person: number; company: string; at: number }>
  posts: Map<string, Post>
  /** Rows of confirmed addresses. */
  badges: Map<string, { person: number; company: string; at: number }>
  roomPosts: Map<string, RoomPost>
  /** People whose real browser refused its issuer keys. */
  refusingLists: Set<number>
  /** Each rating's writes in order of time, which the public numbers mustn't show. */
  ratingWrites: Write[]
  /** The same of pay, without what it is. */
  payWrites: Write[]
}

interface Write {
  at: number
  person: number
  company: string
  stars: string
}

/** A removed rating's stars. */
export const NO_STARS = ''

export interface Post {
  kind: 'thread' | 'comment'
  /** Undefined for someone without an account. */
  person: number | undefined
  thread: string
  company: string | undefined
  /** Public, like everything here except the person. */
  minute: number
  name: string
  /** The company that its author has shown to work for. */
  badge?: string | undefined
}

/** The company that a rating, an entry of pay, a post, badge or post in a room is about. */
export const companyOf = ({ ratings, pays, posts, badges, roomPosts }: Truth, id: string) =>
  [ratings, pays, posts, badges, roomPosts].map((rows) => rows.get(id)?.company).find(Boolean)

export interface RoomPost {
  person: number
  company: string
  thread: string
  at: number
}

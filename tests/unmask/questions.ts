/** What a thief wants to know, who the answer could be, and what anyone can guess without stealing. */
import type { Evidence } from './evidence.ts'
import { companyOf, type Truth } from './truth.ts'

export interface Question {
  name: string
  /** IDs. */
  targets: string[]
  candidatesOf(target: string): string[]
  personOf(target: string): number
  isRight(target: string, candidate: string): boolean
  /** Public information that says something. The attack knows it, and so does the guess it's compared with. */
  guess(target: string, candidate: string): number[]
}

const yes = (is: boolean) => (is ? 1 : 0)

interface Asking {
  /**
   * When the last day began. People who joined, confirmed or got a credential since then are a separate question from those
   * before.
   */
  lastDay?: number
  /** If set, covers only ratings, badges and posts in rooms since then. */
  since?: number
}

export function questionsOf(
  truth: Truth,
  { lastDay = Infinity, since = 0 }: Asking = {},
): Question[] {
  const { posts, ratings, pays, accounts, badges, roomPosts } = truth
  const here = new Set(accounts.values())
  const postIds = [...posts.keys()]
  const lately = new Set(
    truth.ratingWrites
      .filter(({ at }) => at >= since)
      .map(({ person, company }) => `${person} ${company}`),
  )
  const ratingIds = [...ratings]
    .filter(([, { person, company }]) => here.has(person) && lately.has(`${person} ${company}`))
    .map(([id]) => id)
  const accountIds = [...accounts.keys()]
  const ownPosts = postIds.filter((id) => authorOf(id) !== undefined)
  const writers = new Set(ownPosts.map(authorOf))
  const gaveSeveral = severalOf(ratingIds.map(raterOf))
  function raterOf(id: string) {
    return ratings.get(id)?.person as number
  }
  function authorOf(id: string) {
    return posts.get(id)?.person
  }
  const ratedOf = (id: string) => ratings.get(id)?.company
  const badgeOf = (id: string) => posts.get(id)?.badge
  const aboutOf = (id: string) => posts.get(id)?.company
  const threadOf = (id: string) => (posts.get(id) ?? roomPosts.get(id))?.thread
  /** What's stored without an account, since then, by people who are still here. */
  const idsOf = (rows: Map<string, { person: number; at: number }>) =>
    [...rows].filter(([, { person, at }]) => here.has(person) && at >= since).map(([id]) => id)
  const badgeIds = idsOf(badges)
  const payIds = idsOf(pays)
  const paidTo = (id: string) => pays.get(id)?.person as number
  const ofRaters = new Set([...ratings.values()].map(({ person }) => person))
  const roomPostIds = idsOf(roomPosts)
  const writtenInRoom = (id: string) => roomPosts.get(id)?.person as number
  const inSeveralRoomThreads = writersInSeveral(
    roomPostIds.flatMap((id) => roomPosts.get(id) ?? []),
  )
  /** The minutes of posts are public, and people write several at a time. */
  function together(one: string, other: string) {
    const gap = Math.abs((posts.get(one)?.minute ?? 0) - (posts.get(other)?.minute ?? 0))
    const kinds = posts.get(one)?.kind === posts.get(other)?.kind
    const badge = badgeOf(one)
    const badges = badge ? yes(badge === badgeOf(other)) : 0
    return [yes(aboutOf(one) === aboutOf(other)), Math.log1p(gap), yes(gap < 5), yes(kinds), badges]
  }
  const wroteInSeveral = writersInSeveral(posts.values())

  /** Commitments and vaults say who could rate, which is nearly everyone. Anything more is judged. */
  const isHolder = (_: string, account: string) => [
    yes(truth.holders.has(accounts.get(account) as number)),
  ]

  const questions: Question[] = [
    ...toAccount('rating', ratingIds, raterOf),
    {
      name: 'rating → rating',
      targets: ratingIds.filter((id) => gaveSeveral.has(raterOf(id))),
      candidatesOf: (target) => ratingIds.filter((id) => id !== target),
      personOf: raterOf,
      isRight: (one, other) => raterOf(one) === raterOf(other),
      // No one rates a company twice.
      guess: (one, other) => [yes(ratedOf(one) === ratedOf(other))],
    },
    {
      name: 'rating → post',
      targets: ratingIds.filter((id) => writers.has(raterOf(id))),
      candidatesOf: () => postIds,
      personOf: raterOf,
      isRight: (rating, post) => raterOf(rating) === authorOf(post),
      // A rater writes more about that company, starts threads more often, and is there at other times.
      guess(rating, post) {
        const isAbout = ratedOf(rating) === aboutOf(post)
        const { kind, minute = 0 } = posts.get(post) ?? {}
        const isThread = kind === 'thread'
        const isFromThere = badgeOf(post) === ratedOf(rating)
        return [yes(isAbout), yes(isAbout && isThread), yes(isThread), yes(isFromThere), minute]
      },
    },
    {
      name: 'post → post',
      targets: ownPosts.filter((id) => wroteInSeveral.has(authorOf(id) as number)),
      candidatesOf: (target) => postIds.filter((id) => threadOf(id) !== threadOf(target)),
      personOf: (post) => authorOf(post) as number,
      isRight: (one, other) => authorOf(one) === authorOf(other),
      guess: together,
    },
    {
      name: 'kept post → post',
      targets: ownPosts.filter((id) => !here.has(authorOf(id) as number)),
      candidatesOf: (target) => postIds.filter((id) => threadOf(id) !== threadOf(target)),
      personOf: (post) => authorOf(post) as number,
      isRight: (one, other) => authorOf(one) === authorOf(other),
      guess: together,
    },
    ...toAccount(
      'post',
      ownPosts.filter((id) => here.has(authorOf(id) as number)),
      (post) => authorOf(post) as number,
    ),
    ...toAccount('pay', payIds, paidTo),
    {
      name: 'pay → rating',
      targets: payIds.filter((id) => ofRaters.has(paidTo(id))),
      candidatesOf: () => [...ratings.keys()],
      personOf: paidTo,
      isRight: (pay, rating) => paidTo(pay) === raterOf(rating),
      // People rate the companies that they give their pay at.
      guess: (pay, rating) => [yes(pays.get(pay)?.company === ratedOf(rating))],
    },
    ...toAccount('badge', badgeIds, (badge) => badges.get(badge)?.person as number),
    ...toAccount('room post', roomPostIds, writtenInRoom),
    {
      name: 'room post → room post',
      targets: roomPostIds.filter((id) => inSeveralRoomThreads.has(writtenInRoom(id))),
      candidatesOf: (target) => roomPostIds.filter((id) => threadOf(id) !== threadOf(target)),
      personOf: writtenInRoom,
      isRight: (one, other) => writtenInRoom(one) === writtenInRoom(other),
      // People have one employer here.
      guess: (one, other) => [yes(roomPosts.get(one)?.company === roomPosts.get(other)?.company)],
    },
  ]
  return questions.filter(({ targets }) => targets.length > 0)

  function toAccount(what: string, ids: string[], personOf: (id: string) => number): Question[] {
    const isNew = (person: number) => (truth.accountWrites.get(person) as number) >= lastDay
    const settled = accountIds.filter((id) => !isNew(accounts.get(id) as number))
    const about = (name: string, targets: string[], candidates: string[]): Question => ({
      ...{ name, targets, personOf, candidatesOf: () => candidates, guess: isHolder },
      isRight: (id, account) => accounts.get(account) === personOf(id),
    })
    return [
      about(
        `${what} → account`,
        ids.filter((id) => !isNew(personOf(id))),
        settled,
      ),
      about(
        `${what} → new account`,
        ids.filter((id) => isNew(personOf(id))),
        accountIds,
      ),
    ]
  }
}

/**
 * What the site's key opens by design: whose the posts, votes, follows and the day's clicks are, and the addresses. A
 * rating's row adds nothing to a guess based on that. Anything outside these tables is judged.
 */
const OPEN_BY_DESIGN = [
  ...['threads', 'comments', 'thread_names', 'votes', 'poll_votes', 'reports', 'notifications'],
  ...['saved_threads', 'muted_threads', 'follows', 'rating_votes', 'company_interactions'],
]

/** The key opens what's stored under an account by design, so that's no question. */
const OPENED = ['post', 'kept post']

/**
 * The questions that not even the site's key may answer.
 * @param opened what was stolen, with everything that the key opens
 */
export const questionsWithKeys = (questions: Question[], opened: Evidence, truth: Truth) =>
  questions
    .filter(({ name }) => !name.split(' → ').some((side) => OPENED.includes(side)))
    .map((question): Question => {
      if (!question.name.endsWith('account')) return question
      const worksAt = (account: string, company: string) => {
        const { email = '' } = truth.people[truth.accounts.get(account) as number] ?? {}
        return email.includes(`@staff.employer-${truth.companies.indexOf(company)}.`)
      }
      return {
        ...question,
        guess(target, account) {
          const company = companyOf(truth, target) as string
          const { mentions } = opened.traceOf(account)
          return [
            ...question.guess(target, account),
            yes(worksAt(account, company)),
            ...OPEN_BY_DESIGN.map((table) => yes(mentions.get(table)?.has(company) === true)),
          ]
        },
      }
    })

/** People who wrote in more than one thread. */
function writersInSeveral(posts: Iterable<{ person: number | undefined; thread: string }>) {
  const threadsOf = new Map<number, Set<string>>()
  for (const { person, thread } of posts)
    if (person !== undefined)
      threadsOf.set(person, (threadsOf.get(person) ?? new Set()).add(thread))
  return new Set([...threadsOf].flatMap(([person, { size }]) => (size > 1 ? [person] : [])))
}

/** People who occur more than once. */
export function severalOf(all: number[]) {
  const seen = new Set<number>()
  return new Set(all.filter((one) => seen.has(one) || !seen.add(one)))
}

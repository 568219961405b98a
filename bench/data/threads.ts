/** Invented threads and comments with realistic skew, in the order they were written. */
import { companyId } from './companies.ts'
import { arrayOf, type Table, type Value } from './copy.ts'
import { createRandom, popularFirst, type Random, uuidOf } from './random.ts'
import { ADJECTIVES, NOUNS, talk } from './words.ts'

export const COMMENTS_PER_THREAD = 5

const SPAN_DAYS = 3 * 365
/** The minute of the last thread. On a site where no one has written for months, searches for common words read too much. */
const LAST_MINUTE = Math.floor(Date.now() / 86_400_000) * 1_440

export const threadId = (seed: number, index: number) => uuidOf(seed, 'thread', index)

/** Spreads numbers like a hash, without collisions. */
const spread = (index: number) =>
  (Math.imul(index + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0')
/** Keys as long as keyed hashes and row keys, in random order. */
const markOf = (index: number) => spread(index).padEnd(43, 'k')
const keyOf = (...numbers: number[]) => `\\x${numbers.map(spread).join('')}`.padEnd(34, '0')

/** Everyone discusses some companies. Most are never discussed. */
const TALKED_COMPANIES = 20_000
const WITHOUT_COMPANY = 0.3
const TOPICS = popularFirst(
  `work-life-balance pay management culture return-to-office interviews career layoffs remote
  water-cooler leaving inclusion starting`.split(/\s+/),
  0.7,
)
const AUTHORS = 400_000

/** How many threads there are, with how many comments each on average, and over how long. */
interface Talk {
  threads: number
  commentsEach?: number
  days?: number
}

/** Later threads come faster, because the site grows. */
function minuteOfThread(index: number, { threads, days = SPAN_DAYS }: Talk, random: Random) {
  const span = days * 1_440
  return LAST_MINUTE - span + Math.floor(span * ((index + random.next()) / threads) ** 0.6)
}

/** Threads that everyone takes part in, if there are enough threads. */
export const largeThreads = (threads: number) =>
  threads < 20_000
    ? []
    : [
        { index: Math.floor(threads * 0.6), comments: 5_000 },
        { index: Math.floor(threads * 0.8), comments: 2_000 },
      ]
/** The first threads have exactly twenty comments of some length, to measure what a page costs. */
const OF_TWENTY = 100

/** Comments per thread: Pareto. */
function commentCounts(
  seed: number,
  { threads, commentsEach = COMMENTS_PER_THREAD }: Talk,
): Uint32Array {
  const random = createRandom(seed, 'comment counts')
  const shares = Float64Array.from({ length: threads }, () =>
    Math.min(800, (1 - random.next()) ** (-1 / 1.1) - 1),
  )
  const large = largeThreads(threads)
  const left = threads * commentsEach - large.reduce((sum, it) => sum + it.comments, 0)
  const factor = left / shares.reduce((sum, share) => sum + share, 0)
  const counts = Uint32Array.from(shares, (share) => Math.floor(share * factor + random.next()))
  for (const { index, comments } of large) counts[index] = comments
  return counts.fill(20, 0, OF_TWENTY)
}

/** A post's score follows a Pareto distribution. Some scores are negative. */
function scoreOf(random: Random, scale: number) {
  const score = Math.floor(scale * ((1 - random.next()) ** (-1 / 1.3) - 1))
  return random.chance(0.08) ? -Math.min(score, 40) : Math.min(score, 20_000)
}

const hiddenAs = (random: Random, isDeleted = false) =>
  !isDeleted && random.chance(0.004) ? ['removed', 'spam'] : [null, null]

export function threadRows(
  seed: number,
  { companies, ...of }: Talk & { companies: number },
): Table {
  const { threads } = of
  const companyOf = popularFirst(
    Array.from({ length: Math.min(companies, TALKED_COMPANIES) }, (_, index) => index),
  )
  return {
    name: 'threads',
    columns: `id, company_id, key, own_row_key, author_name, is_visitor, title, body, html, excerpt,
      topics, posted_minute, is_edited, is_locked, comments, is_answered, last_place,
      score, idempotency_key, hidden, hidden_reason`,
    count: threads,
    *rows() {
      const counts = commentCounts(seed, of)
      for (let index = 0; index < threads; index++) {
        const random = createRandom(seed, 'thread', index)
        const minute = minuteOfThread(index, of, random)
        const company = random.chance(WITHOUT_COMPANY) ? null : companyId(seed, companyOf(random))
        const title = titleOf(random)
        const body = talk(random, 15 + random.below(30))
        const topics = new Set(Array.from({ length: random.below(4) }, () => TOPICS(random)))
        const comments = counts[index] as number
        const hidden = hiddenAs(random)
        yield [
          ...[threadId(seed, index), company, keyOf(random.below(AUTHORS), index), keyOf(index)],
          ...[
            nameOf(random),
            random.chance(0.3),
            title,
            body,
            `<p>${body}</p>`,
            body.slice(0, 200),
          ],
          ...[arrayOf(topics), minute, random.chance(0.05), random.chance(0.01)],
          ...[comments, comments > 0, comments, scoreOf(random, 3), markOf(index), ...hidden],
        ]
      }
    },
  }
}

/** 8 to 160 characters. */
const titleOf = (random: Random) =>
  `${talk(random, 4 + random.below(7)).replaceAll('.', '')}${random.chance(0.4) ? '?' : ' at work'}`
    .slice(-160)
    .trim()

const nameOf = (random: Random) => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`

/**
 * The comments of this many threads are sorted by time together, so on disk they're mixed with others, as if people had
 * written them.
 */
const BATCH = 16_384

export function commentRows(seed: number, of: Talk): Table {
  const { threads } = of
  return {
    name: 'comments',
    columns: `id, thread_id, parent_id, key, own_row_key, author_name, is_visitor, body, html,
      posted_minute, place, is_edited, is_deleted, score, idempotency_key, hidden,
      hidden_reason`,
    count: threads * (of.commentsEach ?? COMMENTS_PER_THREAD),
    *rows() {
      const counts = commentCounts(seed, of)
      let first = 0
      for (let from = 0; from < threads; from += BATCH) {
        const batch: WrittenAt[] = []
        for (let index = from; index < Math.min(from + BATCH, threads); index++) {
          const count = counts[index] as number
          addComments(batch, seed, { index, of, first, count })
          first += count
        }
        batch.sort((one, other) => one.minute - other.minute)
        for (const { row } of batch) yield row
      }
    },
  }
}

interface WrittenAt {
  minute: number
  row: Value[]
}

/** Within hours of the thread or of the previous comment, and sometimes weeks later. */
const pause = (random: Random) => Math.floor(20 * ((1 - random.next()) ** (-1 / 0.9) - 1))

/** @param thread `first` is the index of its first comment among all */
function addComments(
  batch: WrittenAt[],
  seed: number,
  { index, of, first, count }: { index: number; of: Talk; first: number; count: number },
) {
  if (count === 0) return
  const started = minuteOfThread(index, of, createRandom(seed, 'thread', index))
  const random = createRandom(seed, 'comments', index)
  const thread = threadId(seed, index)
  const minutes = Array.from({ length: count }, () =>
    Math.min(LAST_MINUTE, started + pause(random)),
  ).sort((one, other) => one - other)
  minutes.forEach((minute, place) => {
    // Half of them reply to an earlier one, mostly a recent one.
    const parent =
      place > 0 && random.chance(0.5)
        ? uuidOf(
            seed,
            'comment',
            first + place - 1 - Math.floor(random.next() ** 2 * Math.min(place, 60)),
          )
        : null
    const isDeleted = random.chance(0.01)
    const hidden = hiddenAs(random, isDeleted)
    const length = index < OF_TWENTY ? 14 + random.below(24) : 12 + random.below(14)
    const body = isDeleted ? '' : talk(random, length)
    batch.push({
      minute,
      row: [
        ...[uuidOf(seed, 'comment', first + place), thread, parent],
        ...[keyOf(random.below(AUTHORS), index), keyOf(first + place)],
        ...[isDeleted ? '' : nameOf(random), random.chance(0.3)],
        ...[body, isDeleted ? '' : `<p>${body}</p>`, minute, place + 1],
        ...[random.chance(0.05), isDeleted, isDeleted ? 0 : scoreOf(random, 1.5)],
        ...[markOf(first + place), ...hidden],
      ],
    })
  })
}

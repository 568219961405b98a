/** Invented threads and comments with realistic skew, in the order in which they were written. */
import { companyId } from './companies.ts'
import { ADJECTIVES, NOUNS } from './company-words.ts'
import type { Table, Value } from './copy.ts'
import { createRandom, popularFirst, type Random, uuidOf } from './random.ts'
import { talk } from './thread-words.ts'

export const COMMENTS_PER_THREAD = 5

const DAY = 1_440
/** How long people have talked, unless told otherwise. */
const SPAN_DAYS = 3 * 365
/** The minute in which the last of them was written: what is measured happens then. */
export const LAST_MINUTE = Date.UTC(2026, 0, 1) / 60_000

export const threadId = (seed: number, index: number) => uuidOf(seed, 'thread', index)

/** Spreads numbers as a hash does, each to another one. */
const GOLDEN_RATIO = 0x9e3779b1
const spread = (index: number) =>
  (Math.imul(index + 1, GOLDEN_RATIO) >>> 0).toString(16).padStart(8, '0')
/** As long as a keyed hash is, and in no order. */
const markOf = (index: number) => spread(index).padEnd(43, 'k')
/** As long as the keys of rows are: that of an author in a thread, and that of a row's number. */
const keyIn = (author: number, thread: number) =>
  `\\x${spread(author)}${spread(thread)}`.padEnd(34, '0')
const mineOf = (row: number) => `\\x${spread(row)}`.padEnd(34, '0')

/** Some are talked about by everybody; most never are. */
const TALKED_COMPANIES = 20_000
const WITHOUT_COMPANY = 0.3
const TOPICS = popularFirst(
  [
    'work-life-balance',
    'pay',
    'management',
    'culture',
    'return-to-office',
    'interviews',
    'career',
    'layoffs',
    'remote',
    'water-cooler',
    'leaving',
    'inclusion',
    'starting',
  ],
  0.7,
)
const AUTHORS = 400_000

export interface Talk {
  threads: number
  /** Since the first one. */
  days?: number
}

/** Later ones come faster: a site grows. */
function minuteOfThread(index: number, { threads, days = SPAN_DAYS }: Talk, random: Random) {
  const span = days * DAY
  return LAST_MINUTE - span + Math.floor(span * ((index + random.next()) / threads) ** 0.6)
}

/** Threads that everybody takes part in, where there are enough for it. */
const LARGE = [
  { at: 0.6, comments: 5_000 },
  { at: 0.8, comments: 2_000 },
]
const LARGE_FROM_THREADS = 20_000

export const largeThreads = (threads: number) =>
  threads < LARGE_FROM_THREADS
    ? []
    : LARGE.map(({ at, comments }) => ({ index: Math.floor(threads * at), comments }))

const COMMENTS_MOST = 800

/** Comments of each thread: Pareto, and five a thread in all. */
function commentCounts(seed: number, threads: number): Uint32Array {
  const random = createRandom(seed, 'comment counts')
  const shares = Float64Array.from({ length: threads }, () =>
    Math.min(COMMENTS_MOST, (1 - random.next()) ** (-1 / 1.1) - 1),
  )
  const large = largeThreads(threads)
  for (const { index } of large) shares[index] = 0
  const fixed = large.reduce((sum, { comments }) => sum + comments, 0)
  let left = threads * COMMENTS_PER_THREAD - fixed
  const factor = left / shares.reduce((sum, share) => sum + share, 0)
  const counts = Uint32Array.from(shares, (share) => Math.floor(share * factor + random.next() / 2))
  left -= counts.reduce((sum, count) => sum + count, 0)
  while (left !== 0) {
    const index = random.below(threads)
    const count = counts[index] as number
    if (left < 0 && count === 0) continue
    counts[index] = count + Math.sign(left)
    left -= Math.sign(left)
  }
  for (const { index, comments } of large) counts[index] = comments
  return counts
}

/** Pareto as well; some are voted down. */
function scoreOf(random: Random, scale: number) {
  const score = Math.floor(scale * ((1 - random.next()) ** (-1 / 1.3) - 1))
  return random.chance(0.08) ? -Math.min(score, 40) : Math.min(score, 20_000)
}

const isHidden = (random: Random) => random.chance(0.004)

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
    columns: [
      'id',
      'company_id',
      'key',
      'mine',
      'author_name',
      'is_visitor',
      'title',
      'body',
      'html',
      'excerpt',
      'topics',
      'posted_minute',
      'is_edited',
      'is_locked',
      'comments',
      'is_answered',
      'last_place',
      'score',
      'sending',
      'hidden',
      'hidden_reason',
    ],
    count: threads,
    *rows() {
      const counts = commentCounts(seed, threads)
      for (let index = 0; index < threads; index++) {
        const random = createRandom(seed, 'thread', index)
        const minute = minuteOfThread(index, of, random)
        const company = random.chance(WITHOUT_COMPANY) ? null : companyId(seed, companyOf(random))
        const title = titleOf(random)
        const body = talk(random, 15 + random.below(30))
        const topics = new Set(Array.from({ length: random.below(4) }, () => TOPICS(random)))
        const comments = counts[index] as number
        const hidden = isHidden(random)
        yield [
          threadId(seed, index),
          company,
          keyIn(random.below(AUTHORS), index),
          mineOf(index),
          nameOf(random),
          random.chance(0.3),
          title,
          body,
          `<p>${body}</p>`,
          body.slice(0, 200),
          `{${[...topics].join(',')}}`,
          minute,
          random.chance(0.05),
          random.chance(0.01),
          comments,
          comments > 0,
          comments,
          scoreOf(random, 3),
          markOf(index),
          hidden ? 'removed' : null,
          hidden ? 'spam' : null,
        ]
      }
    },
  }
}

/** 8 to 160 characters. */
function titleOf(random: Random) {
  const title = talk(random, 4 + random.below(7)).replaceAll('.', '')
  return `${title}${title.length < 8 ? ' at work' : ''}${random.chance(0.4) ? '?' : ''}`.slice(
    0,
    160,
  )
}

const nameOf = (random: Random) => `${random.pick(ADJECTIVES)} ${random.pick(NOUNS)}`

/**
 * Threads whose comments are put in the order of time together: on the disk they lie among those of
 * others, as if people had written them.
 */
const BATCH = 16_384

export function commentRows(seed: number, of: Talk): Table {
  const { threads } = of
  return {
    name: 'comments',
    columns: [
      'id',
      'thread_id',
      'parent_id',
      'key',
      'mine',
      'author_name',
      'is_visitor',
      'body',
      'html',
      'posted_minute',
      'place',
      'is_edited',
      'is_deleted',
      'score',
      'sending',
      'hidden',
      'hidden_reason',
    ],
    count: threads * COMMENTS_PER_THREAD,
    *rows() {
      const counts = commentCounts(seed, threads)
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

/** Within hours of the thread or of the comment before, and sometimes after weeks. */
const pause = (random: Random) => Math.floor(20 * ((1 - random.next()) ** (-1 / 0.9) - 1))

/** @param thread `first` is the number of its first comment among all */
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
    // Half of them answer one before, mostly one of the last.
    const answered =
      place > 0 && random.chance(0.5)
        ? place - 1 - Math.floor(random.next() ** 2 * Math.min(place, 60))
        : undefined
    const isDeleted = random.chance(0.01)
    const hidden = !isDeleted && isHidden(random)
    const body = isDeleted ? '' : talk(random, 12 + random.below(14))
    batch.push({
      minute,
      row: [
        uuidOf(seed, 'comment', first + place),
        thread,
        answered === undefined ? null : uuidOf(seed, 'comment', first + answered),
        keyIn(random.below(AUTHORS), index),
        mineOf(first + place),
        isDeleted ? '' : nameOf(random),
        random.chance(0.3),
        body,
        isDeleted ? '' : `<p>${body}</p>`,
        minute,
        place + 1,
        random.chance(0.05),
        isDeleted,
        isDeleted ? 0 : scoreOf(random, 1.5),
        markOf(first + place),
        hidden ? 'removed' : null,
        hidden ? 'spam' : null,
      ],
    })
  })
}

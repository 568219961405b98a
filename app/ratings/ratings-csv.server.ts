/** The counts behind a company's score as a file, from which anyone can compute it again. */
import type { Bucket } from './rating.contract.ts'

const STARRED = { rto: 'rto', dei: 'dei', workLife: 'work_life', culture: 'culture' } as const
type Starred = keyof typeof STARRED

const HEADER = [
  'from',
  'to',
  'ratings',
  'weight_thirtieths',
  'tenths',
  ...Object.values(STARRED).flatMap((name) => [1, 2, 3, 4, 5].map((stars) => `${name}_${stars}`)),
]

/** A row per bucket, oldest first. Every value is a number or a month. RFC 4180. */
export const ratingsCsv = (buckets: readonly Bucket[]) =>
  [HEADER, ...buckets.map(rowOf)].map((row) => `${row.join(',')}\r\n`).join('')

const rowOf = (bucket: Bucket) => [
  bucket.from,
  bucket.to,
  bucket.ratings,
  bucket.weight,
  bucket.tenths,
  ...(Object.keys(STARRED) as Starred[]).flatMap((key) => bucket[key]),
]

/** The counts behind a company's score as a file, from which anyone can compute it again. */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { requestReader } from '#app/api/request.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import { noCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'
import type { RatingSettings } from './publication.server.ts'
import type { Bucket } from './rating.contract.ts'
import { companyRatings } from './rating-queries.server.ts'

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

const reader = requestReader({})

/** Mounts `GET /api/v1/companies/:id/ratings.csv`. */
export function serveRatingsCsv(app: FastifyInstance, ctx: DataContext, settings: RatingSettings) {
  app.get(
    '/api/v1/companies/:id/ratings.csv',
    {
      schema: { summary: 'The counts behind a company’s score, as CSV', tags: ['companies'] },
      config: { isOpen: true },
    },
    async (request, reply) => {
      reader.read(request)
      const id = uuidOf((request.params as { id: string }).id)
      if (!id) throw noCompany()
      const { buckets } = await companyRatings(ctx, id, settings)
      const [company] = await ctx.db.query<{ slug: string | null }>(
        sql`select slug from companies where id = ${id}`,
      )
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', attachment(`${company?.slug ?? id}-ratings.csv`))
        .type('text/csv; charset=utf-8; header=present')
        .send(ratingsCsv(buckets))
    },
  )
}

/** A slug may contain letters of any script, but a header can't. RFC 6266. */
const attachment = (name: string) =>
  `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

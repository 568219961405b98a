/** A company's public numbers as a file. */
import type { FastifyInstance } from 'fastify'
import sql from 'sql-template-tag'
import { requestReader } from '#app/api/request.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import { noCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { DataContext } from '#app/platform/database/server-context.server.ts'

const reader = requestReader({})

interface CompanyCsv {
  /** Such as ratings, for `GET /api/v1/companies/:id/ratings.csv`. */
  name: string
  summary: string
  csvOf: (companyId: string) => Promise<string>
}

export function serveCompanyCsv(
  app: FastifyInstance,
  { db }: DataContext,
  { name, summary, csvOf }: CompanyCsv,
) {
  app.get(
    `/api/v1/companies/:id/${name}.csv`,
    { schema: { summary, tags: ['companies'] }, config: { isOpen: true } },
    async (request, reply) => {
      reader.read(request)
      const id = uuidOf((request.params as { id: string }).id)
      if (!id) throw noCompany()
      const csv = await csvOf(id)
      const [company] = await db.query<{ slug: string | null }>(
        sql`select slug from companies where id = ${id}`,
      )
      return reply
        .header('cache-control', 'no-store')
        .header('content-disposition', attachment(`${company?.slug ?? id}-${name}.csv`))
        .type('text/csv; charset=utf-8; header=present')
        .send(csv)
    },
  )
}

/** A slug may contain letters of any script, but a header can't. RFC 6266. */
const attachment = (name: string) =>
  `attachment; filename="${name.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(name)}`

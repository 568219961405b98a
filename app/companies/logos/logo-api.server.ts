import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import sql from 'sql-template-tag'
import { z } from 'zod'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { uuidOf } from '#app/api/schemas.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import { badRequest, notFound } from '#app/platform/http/refusal.ts'
import { noCompany } from '../merging/merged-companies.server.ts'
import { LOGO_FILE_MAX, LOGO_REFUSALS } from './logo.ts'
import { uploadLogo } from './logo-commands.server.ts'

const YEAR_S = 31_536_000
const uploadReader = requestReader({ body: z.unknown() })
const FILE_NAME = /^([0-9a-f-]{36})-([0-9a-f]{16})\.webp$/

/** Mounts `GET /logos/{file}` and `POST /api/v1/companies/{id}/logo`, whose body is the file. */
export async function serveLogos(
  app: FastifyInstance,
  db: Database,
  contextOf: (identity: RequestIdentity) => Promise<Ctx>,
) {
  app.get('/logos/:file', { schema: { hide: true } }, async (request, reply) => {
    const { file } = request.params as { file: string }
    const [, name, hash] = FILE_NAME.exec(file) ?? []
    const companyId = uuidOf(name)
    if (!companyId) throw notFound(LOGO_REFUSALS.notFound)
    const [logo] = await db.query<{ isThis: boolean; url: string; bytes: string }>(sql`
      select logo.hash = ${hash} as "isThis", company.logo_url as url,
             encode(case when logo.hash = ${hash} then logo.bytes else '' end, 'base64') as bytes
        from company_logos logo join companies company on company.id = logo.company_id
       where logo.company_id = ${companyId}`)
    if (!logo) throw notFound(LOGO_REFUSALS.notFound)
    // A cached page may still name the previous logo.
    if (!logo.isThis) return reply.header('cache-control', 'no-store').redirect(logo.url)
    return sendPicture(reply, 'image/webp', Buffer.from(logo.bytes, 'base64'))
  })

  await acceptPicture(app, '/api/v1/companies/:id/logo', {
    schema: { summary: 'Set a logo. The body is the file', tags: ['companies'] },
    contextOf,
    keep(ctx, params, file) {
      const id = uuidOf(params.id)
      if (!id) throw noCompany()
      return uploadLogo(ctx, id, file)
    },
  })
}

/** @param bytes named by their content, so they never change */
export const sendPicture = (reply: FastifyReply, type: string, bytes: Buffer) =>
  reply
    .header('cache-control', `public, max-age=${YEAR_S}, immutable`)
    .header('x-content-type-options', 'nosniff')
    // Other sites may show the picture with a shared link.
    .header('cross-origin-resource-policy', 'cross-origin')
    .header('content-security-policy', "default-src 'none'; sandbox")
    .type(type)
    .send(bytes)

/** Mounts an administrators' POST whose body is a picture. */
export const acceptPicture = (
  app: FastifyInstance,
  url: string,
  settings: {
    schema: { summary: string; tags: string[] }
    contextOf: (identity: RequestIdentity) => Promise<Ctx>
    /** Checks more about the caller. */
    admit?: (ctx: Ctx) => void
    keep: (ctx: Ctx, params: Record<string, string>, file: Buffer) => Promise<unknown>
  },
) =>
  // In its own scope, because only this route accepts an image as the body.
  app.register(async (scope) => {
    const { schema, contextOf, admit, keep } = settings
    scope.removeAllContentTypeParsers()
    const limit = { parseAs: 'buffer', bodyLimit: LOGO_FILE_MAX } as const
    scope.addContentTypeParser(/^image\/[\w.+-]+$/, limit, (_request, body, done) => {
      done(null, body)
    })
    const contextFor = ({ headers, ip }: FastifyRequest) =>
      contextOf({ authorization: headers.authorization, network: networkOf(ip) })
    scope.post(
      url,
      {
        schema,
        // Runs before the body is read.
        onRequest: async (request) => {
          const ctx = await contextFor(request)
          requireAccess({ access: 'admin' }, ctx.actor)
          admit?.(ctx)
        },
      },
      async (request, reply) => {
        reply.header('cache-control', 'no-store')
        uploadReader.read(request)
        const { params, body } = request
        if (!(body instanceof Buffer) || body.length === 0)
          throw badRequest(LOGO_REFUSALS.noPicture)
        return keep(await contextFor(request), params as Record<string, string>, body)
      },
    )
  })

/** Imports over HTTP: a file in the body of `POST /api/v1/imports`, or a few companies as in Spec §7.3. */
import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import type { RequestIdentity } from '#app/api/auth/actor.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { requireAccess } from '#app/api/policy.server.ts'
import { requestReader } from '#app/api/request.server.ts'
import { networkOf } from '#app/platform/http/rate-limits.server.ts'
import {
  answerOf,
  badRequest,
  conflict,
  FAILED,
  isRefusal,
  onlyAccepts,
  Refusal,
} from '#app/platform/http/refusal.ts'
import { isUnavailable } from '#app/platform/http/unavailable.ts'
import {
  AS_TITLED,
  type FileRow,
  type FileSource,
  fileAt,
  readingOf,
  recognise,
  requireReading,
  rowsAs,
} from './file-rows.server.ts'
import { type ImportSettings, importCompanies, tryImport } from './import-commands.server.ts'
import {
  choicesOf,
  countRows,
  rememberCategories,
  surveyColumns,
  tableOf,
} from './import-file-commands.server.ts'
import {
  FUNCTION_ROWS_MAX,
  failuresSentence,
  IMPORT_FILE_MAX,
  IMPORT_REFUSALS,
  IMPORT_STREAM,
  IMPORT_TEMPLATE,
  type ImportEvent,
  type ImportFormat,
  type ImportReport,
  PLANNED_IMPORT,
} from './import-report.ts'
import {
  type FileSurvey,
  FOR_IMPORTS,
  type ImportPlan,
  ImportPlanBody,
} from './imports.contract.ts'

/** Fits a thousand companies with all fields at full length. */
const FUNCTION_BODY_MAX = 4 * 1024 * 1024

const FORMATS: Record<string, ImportFormat> = {
  'text/csv': 'csv',
  'application/csv': 'csv',
  'text/tab-separated-values': 'csv',
  'text/plain': 'csv',
  // Windows sends this for CSV files once Excel is installed.
  'application/vnd.ms-excel': 'csv',
  'application/json': 'json',
  'application/jsonl': 'json',
  'application/x-ndjson': 'json',
}
/** The longest first line, which names rows and categories. */
const PLAN_MAX = 1024 * 1024

const templateReader = requestReader({})
const fileReader = requestReader({ body: z.unknown() })
const planReader = requestReader({ body: ImportPlanBody })
const functionReader = requestReader({ body: z.object({ companies: z.array(z.unknown()) }) })

type ContextOf = (identity: RequestIdentity) => Promise<Ctx>

export interface ImportApi extends ImportSettings {
  /** The folder for files during their import. Default: the system's temporary folder. */
  folder?: string
}

/**
 * Mounts `POST /api/v1/imports`, whose body is the file, with or without a line of JSON before it (`ImportPlanBody`).
 * Also mounts its columns and trial, the template, and `POST /functions/v1/import-companies-custom`.
 */
export async function registerImports(
  app: FastifyInstance,
  contextOf: ContextOf,
  settings: ImportApi,
) {
  app.get(
    '/api/v1/imports/template.csv',
    {
      schema: { summary: 'A template for an import file', tags: ['imports'] },
      config: { isOpen: true },
    },
    async (request, reply) => {
      templateReader.read(request)
      return reply
        .header('content-disposition', 'attachment; filename="companies.csv"')
        .type('text/csv; charset=utf-8; header=present')
        .send(IMPORT_TEMPLATE)
    },
  )
  await app.register(async (scope) => mountFiles(scope, contextOf, settings))
  await app.register(async (scope) => mountFunction(scope, contextOf, settings))
}

const contextFor = (contextOf: ContextOf, { headers, ip }: FastifyRequest) =>
  contextOf({ authorization: headers.authorization, network: networkOf(ip) })

/** A stored upload, and its plan. */
interface SentFile {
  plan: ImportPlan
  source: FileSource
}

/** Starts at the first row each time. @throws Refusal bad-request if the file can be read in several ways */
async function rowsAsPlanned({ plan, source }: SentFile) {
  const table = tableOf(plan)
  const known = await requireReading(source, plan.reading, table)
  return () => rowsAs(source.bytes(), known, table)
}

async function surveyOf(ctx: Ctx, { plan, source }: SentFile): Promise<FileSurvey> {
  const recognised = await recognise(source, plan.reading, AS_TITLED)
  if ('question' in recognised) return { ...recognised, reading: plan.reading ?? {} }
  const columns = await surveyColumns(ctx, rowsAs(source.bytes(), recognised.known, AS_TITLED))
  return { ...columns, reading: readingOf(recognised.known) }
}

/** In its own scope, because only these routes accept a file as the body. */
function mountFiles(scope: FastifyInstance, contextOf: ContextOf, settings: ImportApi) {
  /** One upload at a time, because each uses disk space and much of the database. */
  let isBusy = false
  scope.removeAllContentTypeParsers()
  // We only read the body once we know the sender.
  scope.addContentTypeParser('*', (_request, body, done) => done(null, body))

  /** Keep the file until the response ends. */
  async function withFile(
    request: FastifyRequest,
    reply: FastifyReply,
    work: (ctx: Ctx, file: SentFile) => Promise<unknown>,
  ) {
    reply.header('cache-control', 'no-store')
    const ctx = await contextFor(contextOf, request)
    requireAccess(FOR_IMPORTS, ctx.actor)
    fileReader.read(request)
    const format = formatOf(request)
    if (!(request.body instanceof Readable)) throw badRequest(IMPORT_REFUSALS.noFile)
    if (isBusy) throw conflict(IMPORT_REFUSALS.busy)
    isBusy = true
    const path = join(settings.folder ?? tmpdir(), `kettle-import-${randomUUID()}`)
    const leave = async () => {
      isBusy = false
      await rm(path, { force: true })
    }
    try {
      await keepBody(request.body, path, IMPORT_FILE_MAX + (format ? 0 : PLAN_MAX))
      const { plan, start } = format ? { plan: { format }, start: 0 } : await planIn(path)
      const answer = await work(ctx, { plan, source: fileAt(path, plan.format, start) })
      // If the client disconnects, the import ends after the batch. A generator that never started doesn't run its
      // `finally`.
      if (answer instanceof Readable) answer.once('close', leave)
      else await leave()
      return answer
    } catch (error) {
      await leave()
      throw error
    }
  }

  scope.post(
    '/api/v1/imports/columns',
    { schema: { summary: 'The columns of a file, and what they could be', tags: ['imports'] } },
    (request, reply) => withFile(request, reply, surveyOf),
  )
  scope.post(
    '/api/v1/imports/trial',
    {
      schema: {
        summary: 'Preview what importing a file would do. Writes nothing',
        tags: ['imports'],
      },
    },
    (request, reply) =>
      withFile(request, reply, async (ctx, file) => {
        const rows = await rowsAsPlanned(file)
        const trial = await tryImport(ctx, rows(), await choicesOf(ctx, file.plan))
        if (trial.rows === 0) throw badRequest(IMPORT_REFUSALS.noData)
        return trial
      }),
  )
  scope.post(
    '/api/v1/imports',
    { schema: { summary: 'Import companies. The body is a CSV or JSON file', tags: ['imports'] } },
    (request, reply) =>
      withFile(request, reply, async (ctx, file) => {
        const { source, id, categories } = file.plan
        const rows = await rowsAsPlanned(file)
        const total = await countRows(rows())
        const choices = await choicesOf(ctx, file.plan)
        if (categories) await rememberCategories(ctx, categories)
        const reports = importCompanies(ctx, settings, rows(), { total, source, id, choices })
        if (!request.headers.accept?.includes(IMPORT_STREAM)) return lastOf(reports)
        const onFailure = (error: unknown) =>
          request.log.error({ err: error }, 'An import was cut off')
        reply.type(IMPORT_STREAM)
        return Readable.from(eventsOf(reports, total, onFailure))
      }),
  )
}

/** @returns undefined for a file with a plan, because that says the format */
function formatOf({ headers }: FastifyRequest): ImportFormat | undefined {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? ''
  const format = Object.hasOwn(FORMATS, type) ? FORMATS[type] : undefined
  if (!format && type !== PLANNED_IMPORT)
    throw new Refusal('unsupported-type', IMPORT_REFUSALS.otherType)
  if (Number(headers['content-length'] ?? 0) > IMPORT_FILE_MAX + (format ? 0 : PLAN_MAX))
    throw tooLarge()
  return format
}

/** @returns the plan, and the file's byte offset @throws Refusal bad-request without a plan */
async function planIn(path: string): Promise<{ plan: ImportPlan; start: number }> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PLAN_MAX), 0, PLAN_MAX, 0)
    const lineEnd = buffer.subarray(0, bytesRead).indexOf(0x0a)
    if (lineEnd === bytesRead - 1) throw badRequest(IMPORT_REFUSALS.noFile)
    const body = parsed(buffer.toString('utf8', 0, Math.max(0, lineEnd)))
    if (!ImportPlanBody.safeParse(body).success) throw badRequest(IMPORT_REFUSALS.noPlan)
    return { plan: planReader.read({ query: {}, body }).body, start: lineEnd + 1 }
  } finally {
    await file.close()
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const tooLarge = () => new Refusal('too-large', IMPORT_REFUSALS.tooLarge)

/** Writes the body to a private file on disk, because it may be large. */
async function keepBody(body: Readable, path: string, max: number) {
  let bytes = 0
  const limited = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > max) throw tooLarge()
      yield chunk
    }
  }
  const file = createWriteStream(path, { flags: 'wx', mode: 0o600 })
  await pipeline(body, limited, file).catch((error) => {
    throw body.errored && !isRefusal(error) ? badRequest(IMPORT_REFUSALS.cutOff) : error
  })
  if (bytes === 0) throw badRequest(IMPORT_REFUSALS.noFile)
}

async function lastOf(reports: AsyncIterable<ImportReport>) {
  let last: ImportReport | undefined
  for await (const report of reports) last = report
  return last
}

/** One line per batch, and the report at the end. */
async function* eventsOf(
  reports: AsyncIterable<ImportReport>,
  total: number,
  onFailure: (error: unknown) => void,
): AsyncGenerator<string> {
  const line = (event: ImportEvent) => `${JSON.stringify(event)}\n`
  try {
    let last: ImportReport | undefined
    yield line({ progress: { rows: 0, total } })
    for await (const report of reports) {
      last = report
      yield line({ progress: { rows: report.rows, total } })
    }
    if (last) yield line({ report: last })
  } catch (error) {
    const said = answerOf(error)
    if (!said) onFailure(error)
    const { status, code, message } = said ?? { status: 500, ...FAILED }
    yield line({ error: { status, code, message } })
  }
}

/** Spec §7.3 has these three fields, in any case. */
interface FunctionResponse {
  success: boolean
  imported: number
  error: string | null
}

const refusedResponse = (error: string): FunctionResponse => ({
  success: false,
  imported: 0,
  error,
})

function mountFunction(scope: FastifyInstance, contextOf: ContextOf, settings: ImportSettings) {
  const url = '/functions/v1/import-companies-custom'
  scope.setErrorHandler((error: FastifyError & { status?: number }, request, reply) => {
    const status = error.status ?? error.statusCode ?? 500
    if (status >= 500 && !isUnavailable(error))
      request.log.error({ err: error }, 'An import failed')
    if (isUnavailable(error)) reply.header('retry-after', error.retryAfter)
    return reply
      .code(status)
      .header('cache-control', 'no-store')
      .send(refusedResponse(sentenceOf(error, status)))
  })
  scope.post(
    url,
    {
      bodyLimit: FUNCTION_BODY_MAX,
      schema: { summary: 'Import up to 1,000 companies', tags: ['imports'] },
      // Before the body is read.
      onRequest: async (request) =>
        requireAccess(FOR_IMPORTS, (await contextFor(contextOf, request)).actor),
    },
    async (request, reply): Promise<FunctionResponse> => {
      reply.header('cache-control', 'no-store')
      const ctx = await contextFor(contextOf, request)
      const rows = rowsOfBody(request.body)
      functionReader.read(request)
      const report = await lastOf(importCompanies(ctx, settings, rows, { total: rows.length }))
      const { added = 0, failed = 0 } = report ?? {}
      const error = report ? failuresSentence(report) : null
      if (failed === rows.length) throw badRequest(error ?? '')
      return { success: true, imported: added, error }
    },
  )
  scope.route({
    method: ['GET', 'PUT', 'PATCH', 'DELETE'],
    url,
    schema: { hide: true },
    handler: async (_request, reply) => {
      reply.header('allow', 'POST')
      throw onlyAccepts('POST')
    },
  })
}

function sentenceOf(error: FastifyError, status: number) {
  const said = answerOf(error)
  if (said) return said.message
  if (status === 413) return IMPORT_REFUSALS.tooMuch
  if (status === 415) return IMPORT_REFUSALS.otherBody
  if (status < 500) return IMPORT_REFUSALS.brokenBody
  return FAILED.message
}

/** @throws Refusal bad-request for anything but `{ companies: [ … ] }` */
function rowsOfBody(body: unknown): FileRow[] {
  const companies = (body as { companies?: unknown } | null | undefined)?.companies
  if (!Array.isArray(companies)) throw badRequest(IMPORT_REFUSALS.noCompanies)
  if (companies.length > FUNCTION_ROWS_MAX) throw badRequest(IMPORT_REFUSALS.tooMany)
  return companies.map((given, i) => ({ row: i + 1, given }))
}

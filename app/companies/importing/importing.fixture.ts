/** Imports in steps, as the screen does them, and at the terminal. */
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, expect } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { bareHttp, callsOf } from '#tests/support/api.ts'
import type { ReadingQuestion } from './file-reading.ts'
import { registerImports } from './import-api.server.ts'
import { type FileChoices, importFile, surveyFile } from './import-file-commands.server.ts'
import type { ImportReport, ImportTrial } from './import-report.ts'
import { pastImports, undoImport } from './imported-companies.server.ts'
import { type FileColumns, importsContract } from './imports.contract.ts'

const calls = callsOf(importsContract, {
  'GET /api/v1/past-imports': async (ctx) => ({ imports: await pastImports(ctx) }),
  'POST /api/v1/past-imports/{id}/undo': (ctx, { params }) => undoImport(ctx, params.id),
})
export const undo = (ctx: Ctx, id = '') =>
  calls(ctx)('POST /api/v1/past-imports/{id}/undo', { params: { id } })
export const past = async (ctx: Ctx) => (await calls(ctx)('GET /api/v1/past-imports')).imports

export const logged = ({ db }: Pick<Ctx, 'db'>) =>
  db.query(sql`select admin_name, action, subject from admin_log order by id`)

type RunSettings = Parameters<typeof importFile>[2] & { choices?: FileChoices; stopsAt?: number }

export function withImports() {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kettle-steps-'))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function ask<Answer>(
    ctx: Ctx,
    path: string,
    content: string | Buffer,
    plan: object | string = {},
  ) {
    const app = bareHttp({ bodyLimit: 256 * 1024 })
    await registerImports(app, async () => ctx, { folder })
    const line =
      typeof plan === 'string'
        ? plan
        : JSON.stringify({ format: 'csv', source: 'list.csv', ...plan })
    const answer = await app.inject({
      method: 'POST',
      url: `/api/v1/imports${path}`,
      headers: { 'content-type': 'application/x-planned-import' },
      payload: Buffer.concat([Buffer.from(`${line}\n`), Buffer.from(content)]),
    })
    await app.close()
    // Nothing of it stays on the disk.
    expect((await readdir(folder)).filter((name) => name.startsWith('kettle-import'))).toEqual([])
    return { status: answer.statusCode, body: answer.json() as Answer }
  }

  return {
    ask,
    survey: async (ctx: Ctx, content: string | Buffer, plan?: object) =>
      (await ask<FileColumns>(ctx, '/columns', content, plan)).body,
    question: async (ctx: Ctx, content: string | Buffer, plan?: object) =>
      (await ask<{ question: ReadingQuestion }>(ctx, '/columns', content, plan)).body.question,
    attempt: async (ctx: Ctx, content: string | Buffer, plan?: object) =>
      (await ask<ImportTrial>(ctx, '/trial', content, plan)).body,
    add: async (ctx: Ctx, content: string | Buffer, plan?: object) =>
      (await ask<ImportReport>(ctx, '', content, plan)).body,
    async run(
      ctx: Ctx,
      text: string | Buffer,
      { choices, stopsAt, ...settings }: RunSettings = {},
    ) {
      const path = join(folder, 'facts.csv')
      await writeFile(path, text)
      const survey = await surveyFile(path, 'csv', undefined, choices)
      const file = { path, format: 'csv' as const, choices, ...survey }
      let last: ImportReport | undefined
      for await (const report of importFile(ctx, file, settings)) {
        last = report
        // Ctrl-C.
        if (stopsAt !== undefined && report.rows >= stopsAt) break
      }
      return last
    },
  }
}

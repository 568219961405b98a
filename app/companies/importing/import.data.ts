/** Sends a file of companies: its columns, a trial, and the import with its progress. */

import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { ApiError, type Client, responseError } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { fetchAsMe } from '#app/kit/session/session.data.ts'
import { COMPANIES_KEY } from '../company.ts'
import type { Reading } from './file-reading.ts'
import {
  IMPORT_STREAM,
  type ImportEvent,
  type ImportFormat,
  type ImportReport,
  type ImportTrial,
  PLANNED_IMPORT,
} from './import-report.ts'
import type { FileSurvey, ImportPlan, ImportsContract } from './imports.contract.ts'

/** A file or a pasted table. */
export interface ImportSource {
  name: string
  format: ImportFormat
  content: Blob
}

export type Chosen = Pick<
  ImportPlan,
  'reading' | 'columns' | 'categories' | 'isNew' | 'isSame' | 'replace' | 'meanings' | 'id'
>

/** @throws ApiError */
export const askForColumns = (source: ImportSource, reading?: Reading): Promise<FileSurvey> =>
  send('/columns', source, { reading }).then((response) => response.json())

/** @throws the same */
export const tryImport = (source: ImportSource, chosen: Chosen): Promise<ImportTrial> =>
  send('/trial', source, chosen).then((response) => response.json())

/** @param onProgress called for each batch @throws the same */
export async function sendImport(
  source: ImportSource,
  chosen: Chosen,
  onProgress: (progress: { rows: number; total: number }) => void,
): Promise<ImportReport> {
  const { body } = await send('', source, chosen, IMPORT_STREAM)
  if (!body) throw lost()
  for await (const event of eventsIn(body)) {
    if ('progress' in event) onProgress(event.progress)
    else if ('report' in event) return event.report
    else throw errorOf(event)
  }
  throw lost()
}

/** Acts as if the site were away, so people read our sentence. */
const lost = () =>
  new ApiError(
    503,
    'lost',
    'The connection was lost. Add them again. Companies that were already added stay as they are.',
  )

const errorOf = ({ error }: Extract<ImportEvent, { error: unknown }>) =>
  new ApiError(error.status, error.code, error.message)

/** The plan is a line of JSON before the file. */
async function send(
  path: string,
  source: ImportSource,
  chosen: Chosen,
  accept = 'application/json',
) {
  const plan: ImportPlan = { ...chosen, format: source.format, source: source.name }
  const body = new Blob([JSON.stringify(plan), '\n', source.content])
  const response = await fetchAsMe(`/api/v1/imports${path}`, {
    method: 'POST',
    headers: { accept, 'content-type': PLANNED_IMPORT },
    body,
  })
  if (!response.ok) throw await responseError(response)
  return response
}

/** The lines of a stream. @param body in UTF-8 */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    // A broken connection just ends the stream. The caller sees that there's no report.
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
    if (done) return
  }
}

/** Logging in or out clears keys with "me". */
const PAST_KEY = [MY_KEY, 'imports']

export const pastImportsQuery = (api: Client<ImportsContract>) =>
  queryOptions({
    queryKey: PAST_KEY,
    queryFn: ({ signal }) => api('GET /api/v1/past-imports', { signal }),
  })

/** @throws ApiError */
export async function undoImport(
  { api, queryClient }: { api: Client<ImportsContract>; queryClient: QueryClient },
  id: string,
) {
  try {
    return await api('POST /api/v1/past-imports/{id}/undo', { params: { id } })
  } finally {
    await invalidateAfterImport(queryClient)
  }
}

export const invalidateAfterImport = (queryClient: QueryClient) =>
  Promise.all([
    queryClient.invalidateQueries({ queryKey: COMPANIES_KEY }),
    queryClient.invalidateQueries({ queryKey: PAST_KEY }),
  ])

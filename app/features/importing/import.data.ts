/** Sends a file of companies and follows what becomes of it. */
import type { QueryClient } from '@tanstack/react-query'
import { credentials } from '../../session/session.data.ts'
import type { ImportEvent, ImportReport } from './import-report.ts'

const TYPES: Record<string, string> = {
  csv: 'text/csv',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  json: 'application/json',
  jsonl: 'application/jsonl',
  ndjson: 'application/x-ndjson',
}

/** By its ending: what browsers say of CSV files depends on the programs of the machine. */
export const typeOfFile = (name: string): string | undefined => {
  const ending = /\.(\w+)$/.exec(name)?.[1]?.toLowerCase() ?? ''
  return Object.hasOwn(TYPES, ending) ? TYPES[ending] : undefined
}

/**
 * The file as it is; `onProgress` hears of each batch.
 * @throws an error with the server's sentence and its status
 */
export async function sendImport(
  file: File,
  onProgress: (progress: { rows: number; total: number }) => void,
): Promise<ImportReport> {
  const send = (token?: string) =>
    fetch('/api/v1/imports', {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        accept: 'application/x-ndjson',
        'content-type': typeOfFile(file.name) ?? 'application/octet-stream',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: file,
    })
  const token = await credentials.token()
  let response = await send(token)
  if (response.status === 401 && token) response = await send(await credentials.renew(token))
  if (!response.ok || !response.body) {
    const answer = await response.json().catch(() => undefined)
    throw refused(answer?.error?.message, response.status)
  }
  for await (const event of eventsIn(response.body)) {
    if ('progress' in event) onProgress(event.progress)
    else if ('report' in event) return event.report
    else throw refused(event.error.message, event.error.code === 'failed' ? 500 : 400)
  }
  throw refused(
    'The connection was lost. Send the file again: what was added already is left as it is.',
    400,
  )
}

const refused = (message: string | undefined, status: number) =>
  Object.assign(new Error(message ?? ''), { status })

/** The lines of a stream. @param body in UTF-8 */
export async function* eventsIn(body: ReadableStream<Uint8Array>): AsyncGenerator<ImportEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  for (;;) {
    // A connection that breaks is an end like another: who asked sees that no report came.
    const { value, done } = await reader.read().catch(() => ({ value: undefined, done: true }))
    const lines = (rest + decoder.decode(value, { stream: !done })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) if (line !== '') yield JSON.parse(line)
    if (done) return
  }
}

/** After an import: whatever lists companies may list others. */
export const lookAgainAfterImport = (queryClient: QueryClient) =>
  queryClient.invalidateQueries({ queryKey: ['companies'] })

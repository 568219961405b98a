import { afterEach, describe, expect, test, vi } from 'vitest'
import { eventsIn, sendImport } from './import.data.ts'
import { emptyReport, formatOfFile } from './import-report.ts'

/** A stream that comes in pieces of so many bytes. */
function stream(text: string, size: number, breaksOff = false) {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const piece = bytes.subarray(at, at + size)
      at += size
      if (piece.length > 0) controller.enqueue(piece)
      else if (breaksOff) controller.error(new Error('gone'))
      else controller.close()
    },
  })
}
const report = { ...emptyReport(2), rows: 2, added: 2, failures: [{ row: 2, reason: 'Ü – 🫖' }] }
const lines = [{ progress: { rows: 1, total: 2 } }, { report }]
const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
const source = {
  name: 'Companies.CSV',
  format: 'csv',
  content: new Blob(['name\nAcme\n']),
} as const

afterEach(() => vi.unstubAllGlobals())

describe('the news of an import', () => {
  test.each([1, 3, 1000])('the news is read line by line, however it’s cut (%i)', async (size) => {
    const read = []
    for await (const event of eventsIn(stream(text, size))) read.push(event)
    expect(read).toEqual(lines)
  })

  test('the news ends in the report', async () => {
    const fetch = vi.fn(async (_url: string, _init: RequestInit) => new Response(stream(text, 9)))
    vi.stubGlobal('fetch', fetch)
    const heard = vi.fn()
    expect(await sendImport(source, { isNew: [7] }, heard)).toEqual(report)
    expect(heard).toHaveBeenCalledExactlyOnceWith({ rows: 1, total: 2 })
    expect(fetch.mock.calls[0]?.[0]).toBe('/api/v1/imports')
    // The file as it is, behind a line with what was chosen.
    const [, init] = fetch.mock.calls[0] ?? []
    const sent = await new Response(init?.body).text()
    const [plan, ...rows] = sent.split('\n')
    expect(JSON.parse(plan ?? '')).toEqual({ isNew: [7], format: 'csv', source: 'Companies.CSV' })
    expect(rows).toEqual(['name', 'Acme', ''])
  })

  test('news that breaks off is a failure with a sentence', async () => {
    vi.stubGlobal('fetch', async () => new Response(stream(text.split('\n')[0] ?? '', 9, true)))
    await expect(sendImport(source, {}, () => {})).rejects.toThrow('The connection was lost')
  })

  test('the news can be a refusal, before the start or later', async () => {
    const error = { code: 'conflict', message: 'Another import is running.' }
    vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 409 }))
    await expect(sendImport(source, {}, () => {})).rejects.toMatchObject({
      status: 409,
      message: error.message,
    })
    const event = { error: { status: 409, ...error } }
    vi.stubGlobal('fetch', async () => new Response(`${JSON.stringify(event)}\n`))
    await expect(sendImport(source, {}, () => {})).rejects.toMatchObject({
      status: 409,
      message: error.message,
    })
  })
})

test.each([
  ['a.csv', 'csv'],
  ['A.B.JSON', 'json'],
  ['a.xlsx', undefined],
  ['csv', undefined],
])('the file %s is %s', (name, format) => {
  expect(formatOfFile(name)).toBe(format)
})

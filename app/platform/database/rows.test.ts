import { expect, test, vi } from 'vitest'
import { z } from 'zod'
import { declaredOutput, mapRows, onOmittedRows } from './rows.server.ts'

/** What is noted while `work` runs. */
function noted(work: () => void) {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const notes: unknown[] = []
  const end = onOmittedRows(({ list, rows }) => notes.push({ list, rows }))
  work()
  end()
  return notes
}

const Thread = z.object({ title: z.string(), topics: z.array(z.string()) })
const Page = z.object({ threads: z.array(Thread), next: z.string().nullable() })
const good = { title: 'Is it true?', topics: ['pay'] }

test('a row that can’t be shown is left out and logged once, and the others keep their order', () => {
  const notes = noted(() =>
    expect(
      mapRows('texts', ['a%20b', '%', 'c', '%e'], (text, index) => [
        index,
        decodeURIComponent(text),
      ]),
    ).toEqual([
      [0, 'a b'],
      [2, 'c'],
    ]),
  )
  expect(notes).toEqual([{ list: 'texts', rows: 2 }])
})

test('a malformed item is left out of an answer with everything in it', () => {
  const threads = [good, { ...good, topics: ['pay', null] }, { ...good, key: 'of its author' }, {}]
  const notes = noted(() =>
    expect(declaredOutput('GET /threads', Page, { threads, next: null })).toEqual({
      threads: [good, good],
      next: null,
    }),
  )
  expect(notes).toEqual([{ list: 'GET /threads', rows: 2 }])
})

test('a malformed answer is a failure', () => {
  const Two = z.object({ threads: z.array(Thread).min(2) })
  for (const [schema, answer] of [
    [Page, { threads: [{}], next: 1 }],
    [Page, { next: null }],
    [Two, { threads: [good, {}] }],
    [Thread, { title: null, topics: [] }],
  ] as const)
    expect(noted(() => expect(() => declaredOutput('it', schema, answer)).toThrow())).toEqual([])
})

test('valid rows aren’t logged', () => {
  const page = { threads: [good], next: null }
  expect(noted(() => expect(declaredOutput('it', Page, page)).toEqual(page))).toEqual([])
})

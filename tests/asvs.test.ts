/** Guards docs/asvs.md: the code and the tests that it names exist. */
import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { meantBy, titlesIn } from './specification.ts'

const rows = readFileSync('docs/asvs.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| [67]\.\d/.test(line))
  .map((line) => {
    const [id = '', , answer = '', by = ''] = line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim())
    const named = [...by.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)
    return { id, answer, by, named }
  })

test('every requirement of level 2 that applies has an answer, once', () => {
  const ids = rows.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.length).toBe(44)
  for (const { id, answer, by } of rows) {
    expect(answer, id).toMatch(/^(Met|Partly|No)$/)
    expect(by, id).not.toBe('')
  }
})

test.each(rows.map(({ id, named }) => [id, named] as const))(
  '%s names code and tests that exist',
  (_, named) => {
    for (const reference of named) {
      const [file = '', ...title] = reference.split(' › ')
      expect(existsSync(file), file).toBe(true)
      if (title.length === 0) continue
      const meant = meantBy(title.join(' › '), titlesIn(readFileSync(file, 'utf8')))
      expect(meant, reference).toHaveLength(1)
    }
  },
)

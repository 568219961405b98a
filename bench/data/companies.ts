/** Invented companies with realistic skew: a few words, places and categories are everywhere. */

import { baseSlug } from '../../app/companies/company-commands.server.ts'
import { keysOf } from '../../app/companies/search/company-keys.ts'
import { foldText } from '../../app/kit/writing/text.ts'
import type { Table } from './copy.ts'
import { createRandom, popularFirst, type Random, uuidOf } from './random.ts'
import * as words from './words.ts'

export const companyId = (seed: number, index: number) => uuidOf(seed, 'company', index)

const industryOf = popularFirst(words.INDUSTRIES)
const surname = popularFirst(words.SURNAMES)
const city = popularFirst(words.CITIES)
const adjective = popularFirst(words.ADJECTIVES)
const noun = popularFirst(words.NOUNS)
const legalForm = popularFirst(words.LEGAL_FORMS)
const popularWords = new WeakMap<words.Industry, (random: Random) => string>()

function wordOf(random: Random, industry: words.Industry) {
  const known = popularWords.get(industry)
  const pick = known ?? popularFirst(industry.inNames, 0.6)
  if (!known) popularWords.set(industry, pick)
  return pick(random)
}

function coined(random: Random) {
  let name = random.pick(words.STARTS)
  for (let n = 1 + random.below(2); n > 0; n--) name += random.pick(words.MIDDLES)
  return name + random.pick(words.ENDS)
}

const initials = (random: Random) =>
  Array.from({ length: 2 + random.below(2) }, () =>
    String.fromCharCode(65 + random.below(26)),
  ).join('')

/** How names are formed, and how often. */
const NAMINGS: [share: number, (random: Random, industry: words.Industry) => string][] = [
  [0.24, (r, i) => `${coined(r)} ${wordOf(r, i)}`],
  [0.1, (r, i) => `${surname(r)} ${wordOf(r, i)}`],
  [0.08, (r) => `${surname(r)} & ${r.chance(0.3) ? 'Sons' : surname(r)}`],
  [0.14, (r, i) => `${adjective(r)} ${noun(r)} ${wordOf(r, i)}`],
  [0.08, (r, i) => `${noun(r)}${noun(r).toLowerCase()} ${wordOf(r, i)}`],
  [0.14, (r, i) => `${city(r)} ${adjective(r)} ${wordOf(r, i)}`],
  [0.06, (r, i) => `${surname(r)} ${city(r)} ${wordOf(r, i)}`],
  [0.08, (r) => coined(r)],
  [0.04, (r, i) => `${initials(r)} ${wordOf(r, i)}`],
  [0.03, (r, i) => `${r.pick(words.OPENINGS)} ${noun(r)} ${wordOf(r, i)}`],
  [0.01, (r, i) => `${r.pick(words.OTHER_NAMES)} ${r.chance(0.5) ? city(r) : wordOf(r, i)}`],
]

function nameOf(random: Random, industry: words.Industry) {
  let left = random.next()
  const naming = NAMINGS.find(([share]) => {
    left -= share
    return left < 0
  })
  const name = (naming ?? NAMINGS[0])?.[1](random, industry) ?? coined(random)
  return random.chance(0.45) ? `${name} ${legalForm(random)}` : name
}

/** 60 to 160 characters. One in twelve has none. */
function descriptionOf(random: Random, industry: words.Industry) {
  if (random.chance(1 / 12)) return null
  const trait = random.pick(words.TRAITS)
  const start = `${/^[aeiou]/.test(trait) ? 'An' : 'A'} ${trait} ${industry.category.toLowerCase()} company in ${city(random)}`
  let text = `${start} that ${random.pick(industry.doing)}`
  if (text.length < 90 || random.chance(0.4)) text += `, ${random.pick(words.ENDINGS)}`
  return `${text}.`.slice(0, 160)
}

const FIRST_DAY = Date.UTC(2021, 0, 1)
const LAST_DAY = Date.UTC(2026, 0, 1)

/** `count` rows of `companies`. */
export function companyRows(seed: number, count: number): Table {
  return {
    name: 'companies',
    columns: 'id, name, name_key, slug, category, description, website, created_at',
    count,
    *rows() {
      const random = createRandom(seed, 'companies')
      for (let index = 0; index < count; index++) {
        const industry = industryOf(random)
        const name = nameOf(random, industry)
        const description = descriptionOf(random, industry)
        const base = baseSlug(name)
        const createdAt = new Date(FIRST_DAY + random.next() * (LAST_DAY - FIRST_DAY))
        yield [
          ...[companyId(seed, index), name, foldText(name)],
          base && `${base}-${index}`,
          ...[industry.category, description],
          `https://www.company-${index}.example`,
          createdAt.toISOString(),
        ]
      }
    },
  }
}

/** The rows of `company_stats`: nearly everyone views and discusses the same few companies. */
export function companyStatsRows(seed: number, count: number): Table {
  return {
    name: 'company_stats',
    columns: `company_id, threads, comments, recent_comments, views, ratings, score, rto,
      dei, work_life, culture`,
    count,
    *rows() {
      for (let index = 0; index < count; index++) {
        const random = createRandom(seed, 'company stats', index)
        // Pareto: mean 5, and the largest of a million is a few hundred thousand.
        const fame = (1 - random.next()) ** (-1 / 1.2) - 1
        const some = (mean: number) => Math.floor(fame * mean * (0.5 + random.next()))
        const threads = some(0.4)
        const comments = Math.min(threads * 200, some(2))
        const ratings = some(0.6)
        const liked = 1.5 + random.next() * 3
        const inCategory = () => (ratings > 0 ? Math.min(5, liked + random.next() - 0.5) : null)
        yield [
          ...[companyId(seed, index), threads, comments],
          ...[Math.floor(comments * random.next() * 0.1), some(20), ratings],
          ...[ratings > 0 ? liked : 0, inCategory(), inCategory(), inCategory(), inCategory()],
        ]
      }
    },
  }
}

/** The rows of `company_keys`, as `insertKeys` would make them. */
export function companyKeyRows(seed: number, count: number): Table {
  return {
    name: 'company_keys',
    columns: 'company_id, key, kind, fame',
    count: count * 4,
    *rows() {
      const stats = companyStatsRows(seed, count).rows()[Symbol.iterator]()
      for (const [id, name, , , category] of companyRows(seed, count).rows()) {
        const [, threads, comments, , , ratings] = stats.next().value as number[]
        const said = (threads as number) + (comments as number) + (ratings as number)
        const fame = Math.min(20, Math.floor(Math.log2(1 + said)))
        for (const { key, kind } of keysOf({ name: String(name), category: String(category) }))
          yield [id as string, key, kind, fame]
      }
    },
  }
}

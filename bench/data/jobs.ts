/** Invented open jobs, skewed like real ones, in the order they were posted. */

import { locationKeys } from '../../app/jobs/postings/job-check.server.ts'
import { UNITS_PER_DOLLAR } from '../../app/kit/writing/currencies.ts'
import { companyRows } from './companies.ts'
import { arrayOf, type Table, type Value } from './copy.ts'
import { createRandom, popularFirst, type Random, uuidOf } from './random.ts'
import { SMALL_WORDS, wordOfAnyRank } from './words.ts'

type City = [name: string, country: string, currency: string, level: number]

/** The level is the pay relative to the first city. */
const CITIES: City[] = [
  ...`New York/US/USD/1 London/GB/GBP/0.75 San Francisco/US/USD/1.2 Bengaluru/IN/INR/0.28
  Berlin/DE/EUR/0.7 Chicago/US/USD/0.9 Toronto/CA/CAD/0.68 Paris/FR/EUR/0.65 Austin/US/USD/0.85
  München/DE/EUR/0.75 Sydney/AU/AUD/0.75 Amsterdam/NL/EUR/0.7 Mumbai/IN/INR/0.26
  Singapore/SG/SGD/0.7 Dublin/IE/EUR/0.72 Madrid/ES/EUR/0.48 Zürich/CH/CHF/1.25
  Warszawa/PL/PLN/0.45 Stockholm/SE/SEK/0.62 Tokyo/JP/JPY/0.55 São Paulo/BR/BRL/0.3
  Wien/AT/EUR/0.65 København/DK/DKK/0.75 Ciudad de México/MX/MXN/0.32 Oslo/NO/NOK/0.72
  Lisboa/PT/EUR/0.4 Cape Town/ZA/ZAR/0.28 Auckland/NZ/NZD/0.6 Praha/CZ/CZK/0.42
  Jakarta/ID/IDR/0.15 Reykjavík/IS/ISK/0.75 Tallinn/EE/EUR/0.45`
    .split(/(?<=\/[\d.]+)\s+/)
    .map((line): City => {
      const [name = '', country = '', currency = '', level] = line.split('/')
      return [name, country, currency, Number(level)]
    }),
  // The long tail: towns with a few jobs.
  ...Array.from(
    { length: 3_000 },
    (_, n): City => [`Town ${n}`, n % 3 ? 'US' : 'DE', n % 3 ? 'USD' : 'EUR', 0.6],
  ),
]

/** What each job pays in the first city, in thousands of dollars a year. The most common come first. */
const ROLES =
  `Software Engineer 130, Sales Manager 85, Nurse 72, Warehouse Worker 38, Accountant 68,
  Data Analyst 80, Customer Support Agent 42, Project Manager 90, Barista 30, Driver 45,
  Product Manager 140, Teacher 55, Electrician 60, Marketing Lead 95, Mechanical Engineer 92,
  Recruiter 62, Pharmacist 115, Physician 230, Chief Financial Officer 290, Actuary 120, Sommelier 48`
    .split(/,\s+/)
    .map((line) => {
      const [, name = '', thousands] = /^(.*) (\d+)$/.exec(line) ?? []
      return { name, pay: Number(thousands) * 1_000 }
    })
const LEVELS = ['', '', '', 'Senior', 'Senior', 'Junior', 'Lead', 'Night', 'Assistant', 'Regional']
const RISES: Record<string, number> = { Senior: 1.3, Lead: 1.5, Junior: 0.7 }
const TAGS = 'SQL,React,Python,Excel,Forklift,German,Kubernetes,Shift work,COBOL'.split(',')
const POLICIES = 'remote,hybrid,on-site,on-site,hybrid,on-site,remote,on-site'.split(',')
const RARE_TYPES = 'part-time,part-time,contract,temporary,internship,contract'.split(',')

const cityOf = popularFirst(CITIES, 1)
const roleOf = popularFirst(ROLES, 0.7)
const tagOf = popularFirst(TAGS, 0.8)

const DAY_MS = 86_400_000
const OPEN_DAYS = 60
/** Companies that hire. */
const HIRING = 50_000

/** Words as common as in conversation. */
export const textOf = (random: Random, length: number) =>
  Array.from({ length }, () =>
    random.chance(0.4) ? random.pick(SMALL_WORDS) : wordOfAnyRank(random),
  ).join(' ')

/** A job has an entry for each list that it's in. `ENTRIES_OF_JOBS` makes them. */
export const jobRows = (seed: number, count: number, companies: number): Table => ({
  name: 'job_postings',
  columns: `id, company_id, company_name, title, description, html, excerpt, places, place_keys,
    remote_policy, hybrid_days, remote_regions, employment_type, salary_minimum, salary_maximum,
    salary_currency, salary_period, yearly_minimum, yearly_maximum, salary_worth, tags, apply_link,
    status, posted_date, valid_through, idempotency_key`,
  count,
  *rows() {
    const hiring = [...companyRows(seed, Math.min(companies, HIRING)).rows()]
    const texts = createRandom(seed, 'job texts')
    const paragraphs = Array.from({ length: 6_000 }, () => textOf(texts, 45))
    for (let index = 0; index < count; index++) {
      const random = createRandom(seed, 'job', index)
      const [company, companyName] = hiring[
        Math.floor(random.next() ** 1.7 * hiring.length)
      ] as Value[]
      yield [
        uuidOf(seed, 'job', index),
        company as string,
        companyName as string,
        ...offer(random, paragraphs),
        ...openFrom((index + random.next()) / count),
        `made ${index}`,
      ]
    }
  },
})

/** A quarter is remote. Low pay is hourly. */
function offer(random: Random, paragraphs: string[]): Value[] {
  const [city, country, currency, level] = cityOf(random)
  const { name, pay } = roleOf(random)
  const rank = random.pick(LEVELS)
  const policy = random.pick(POLICIES)
  const isAnywhere = random.chance(0.4)
  const type = RARE_TYPES[Math.floor(random.next() ** 1.5 * 30)] ?? 'full-time'
  const units = UNITS_PER_DOLLAR[currency] ?? 1
  const rise = (RISES[rank] ?? 1) * (type === 'internship' ? 0.4 : 1) * (0.8 + random.next() * 0.5)
  const top = Math.min(99_000_000, Math.round(pay * level * units * rise))
  const least = Math.round(top * 0.8)
  const isHourly = pay * (RISES[rank] ?? 1) < 60_000 && random.chance(0.7)
  const paid = (yearly: number) => (isHourly ? (yearly / 2080).toFixed(2) : yearly)
  const isRemote = policy === 'remote'
  const regions = isRemote && !isAnywhere ? [country] : []
  const places = isRemote ? [] : [{ city, country }]
  const one = random.pick(paragraphs)
  const tags = new Set(Array.from({ length: random.below(4) }, () => tagOf(random)))
  const rare = `team${Math.floor(random.next() ** 3 * 100_000)}`
  return [
    ...[`${rank} ${name}`.trim(), `${one}. ${random.pick(paragraphs)} ${rare}`],
    ...[`<p>${one}</p>`, one.slice(0, 200), JSON.stringify(places)],
    ...[arrayOf(locationKeys(places, regions)), policy, policy === 'hybrid' ? 3 : null],
    ...[arrayOf(regions), type, paid(least), paid(top), currency, isHourly ? 'hour' : 'year'],
    ...[least, top, Math.round(top / units), arrayOf(tags), 'https://example.com/jobs', 'open'],
  ]
}

/** Most of them are recent. */
function openFrom(part: number): Value[] {
  const daysAgo = Math.floor(OPEN_DAYS * (1 - part) ** 1.3)
  const dayOf = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  return [dayOf(-daysAgo), dayOf(OPEN_DAYS - daysAgo)]
}

export const ENTRIES_OF_JOBS = `
  insert into job_entries (key, remote_policy, employment_type, posted_day, salary_worth, job_id,
                           salary_currency, yearly_maximum, valid_through)
  select key, remote_policy, employment_type, posted_date - date '1970-01-01', salary_worth, id,
         salary_currency, yearly_maximum, valid_through
    from job_postings, unnest(
           array['*', 'c:' || salary_currency] || place_keys
           || array(select place || ' c:' || salary_currency from unnest(place_keys) place)) key`

/** A list of 503 in the shape of the public ones for an index: companies that are here under other names, and new ones. */
import { readFile } from 'node:fs/promises'
import { csvText } from '#app/platform/csv.server.ts'
import { shareList } from '#tests/journeys/steps/share-list.ts'

const ROWS = 503
const TITLES = [
  'Symbol',
  'Security',
  'GICS Sector',
  'GICS Sub-Industry',
  'Headquarters Location',
  'Date added',
  'CIK',
  'Founded',
]

/** Rows that someone has to decide on, and the starter company that each is. */
export const DOUBTFUL: [security: string, is: string | null][] = [
  ['Abbott Laboratories', 'Abbott'],
  ['Advanced Micro Devices', 'AMD'],
  ['Alphabet Inc. (Class A)', 'Google'],
  ['Alphabet Inc. (Class C)', 'Google'],
  ['Booking Holdings', 'Booking.com'],
  ['CBRE Group', 'CBRE'],
  ['Deere & Company', 'John Deere'],
  ['FedEx Freight', null],
  ['Ford Motor Company', 'Ford'],
  ['Hilton Worldwide', 'Hilton'],
  ['Jacobs Solutions', 'Jacobs'],
  ['Meta Platforms', 'Meta'],
  ['United Parcel Service', 'UPS'],
]

/** How such lists write a name. */
const SPELLINGS = [
  (name: string) => name,
  (name: string) => `${name}, Inc.`,
  (name: string) => `${name} Corporation`,
  (name: string) => `${name} Company (The)`,
  (name: string) => `${name.toUpperCase()} CORP /DE/`,
  (name: string) => `${name.replaceAll('&', 'and').replaceAll("'", '’')} plc`,
  (name: string) => `${name.normalize('NFD').replace(/\p{M}/gu, '')} (Class A)`,
  (name: string) => `${name}[1]`,
]
export const SPELLED = 64

/** Cells of the year, and the year. */
const FOUNDED: [cell: string, founded: number][] = [
  ['1902', 1902],
  ['2013 (1888)', 2013],
  ['1998 (1923 / 1874)', 1998],
  ['2019 (L3 1997, Harris 1895)', 2019],
  ['1997[3]', 1997],
  ['1904/1946/1959', 1904],
  ['1975/1977 (1997)', 1975],
]

interface ListedCompany {
  security: string
  /** The company's name on the site. */
  is: string
  /** False for a second class of shares, whose company is complete. */
  isFirst: boolean
  symbol: string
  cell: string
  founded: number
}

export async function publicList(headquarters = 'Lower Pindlewick, Vermont') {
  const here: { name: string }[] = JSON.parse(await readFile('db/starter/companies.json', 'utf8'))
  const decided = new Set(DOUBTFUL.map(([, is]) => is))
  const spelled = here
    .flatMap(({ name }) => (decided.has(name) || name === 'FedEx' ? [] : [name]))
    .slice(0, SPELLED)
    .map((name, n) => [(SPELLINGS[n % SPELLINGS.length] ?? String)(name), name] as const)
  const others = shareList()
    .split('\r\n')
    .flatMap((line) => /^[A-Z]{4},([^,]+),/.exec(line)?.[1] ?? [])
    .map((security) => [security, security.replace(/ \(Class B\)$/, ' (Class A)')] as const)
  const all = [...DOUBTFUL, ...spelled, ...others].slice(0, ROWS)
  const rows = all.map(([security, is], n): ListedCompany => {
    const [cell, founded] = FOUNDED[n % FOUNDED.length] as (typeof FOUNDED)[number]
    const before = all[n - 1]?.[1]
    const isFirst = is === null || before !== is
    // Only its symbol says what it is.
    const symbol = is === 'AMD' ? is : `Q${1000 + n}`
    return { security, is: is ?? security, isFirst, symbol, cell, founded }
  })
  const csv = csvText([
    TITLES,
    ...rows.map(({ security, symbol, cell }, n) => [
      ...[symbol, security, 'Industrials', 'Building Products', headquarters],
      ...['1999-10-01', String(320_187 + n), cell],
    ]),
  ])
  return { csv, rows }
}

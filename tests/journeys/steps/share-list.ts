/** A list of companies like those on the web for an index of 500. It has a row for each class of shares, so 503. */
import { csvText } from '#app/platform/csv.server.ts'

const TITLES = [
  'Symbol',
  'Security',
  'GICS Sector',
  'GICS Sub-Industry',
  'Headquarters Location',
  'Date added',
  'CIK',
  'Founded',
  'Website',
]

const SECTORS = [
  ['Industrials', 'Building Products'],
  ['Financials', 'Regional Banks'],
  ['Information Technology', 'Application Software'],
  ['Health Care', 'Health Care Equipment'],
  ['Consumer Discretionary', 'Restaurants'],
  ['Consumer Staples', 'Packaged Foods & Meats'],
  ['Utilities', 'Electric Utilities'],
  ['Real Estate', 'Office REITs'],
  ['Materials', 'Specialty Chemicals'],
  ['Communication Services', 'Publishing'],
  ['Energy', 'Oil & Gas Refining & Marketing'],
] as const

// No two names are a typo apart.
const FIRST = (
  'Ambleford Brackenhill Cobbleton Dunmarrow Elverstone Fenwicket Gorsefield Hollowmere Ivyholt ' +
  'Junipera Kestrelby Larkspur Mossgrave Nettlecombe Oxbow Pippinwood Quillsbury Rookhaven ' +
  'Saltmarsh Thistledown Umberleigh Vetchling Wychwood Yarrowgate Zephyrine'
).split(' ')
const SECOND = (
  'Anvils Bakeries Clocks Dredging Engines Ferries Glass Hosiery Instruments Joinery ' +
  'Kilns Lumber Mills Nautical Optics Paper Quarries Railways Shipping Textiles'
).split(' ')

/** Two companies that have merged since, and one with two classes of shares. */
export const LAMPWRIGHT = 'Lampwright Systems'
export const LAMPWRIGHT_ONCE = 'Candlemaker & Daughters'
const WITH_TWO_SHARES = ['Teasel Media', 'Parsley Press', 'Hedgerow Networks']

const COMPANIES = [
  LAMPWRIGHT,
  LAMPWRIGHT_ONCE,
  ...WITH_TWO_SHARES,
  ...FIRST.flatMap((first) => SECOND.map((second) => `${first} ${second}`)),
].slice(0, 500)

const slugOf = (name: string) => name.toLowerCase().replace(/[^a-z]+/g, '-')
/** AAAA, AAAB, …: each once. */
const symbolOf = (n: number) =>
  [...n.toString(26).padStart(4, '0')]
    .map((digit) => String.fromCharCode(65 + Number.parseInt(digit, 26)))
    .join('')

/** A list as a spreadsheet saves it. */
export function shareList(): string {
  const shares = COMPANIES.flatMap((name) =>
    WITH_TWO_SHARES.includes(name)
      ? [
          { name, share: `${name} (Class A)` },
          { name, share: `${name} (Class B)` },
        ]
      : [{ name, share: name }],
  )
  const rows = shares.map(({ name, share }, n) => [
    symbolOf(n),
    share,
    ...(SECTORS[n % SECTORS.length] as readonly string[]),
    'Lower Pindlewick, Vermont',
    '1999-10-01',
    String(320_187 + n),
    n % 3 === 0 ? `${1900 + (n % 100)} (1888)` : String(1900 + (n % 100)),
    `https://www.${slugOf(name)}.com`,
  ])
  return csvText([TITLES, ...rows])
}

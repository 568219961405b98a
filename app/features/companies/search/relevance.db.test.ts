import { expect, test } from 'vitest'
import { withDatabase } from '../../../../tests/support/database.ts'
import { insertCompanies } from '../company-commands.server.ts'
import { loadStarterCompanies } from '../starter-companies.server.ts'
import { suggestCompanies } from './suggestions.server.ts'

const { as } = withDatabase()

/** What people type, and the company that should stand first. */
const WANTED: Record<string, string[]> = {
  'whole names': [
    'Google → Google',
    'Apple → Apple',
    'meta → Meta',
    'ibm → IBM',
    'ING → ING',
    'arm → Arm',
    'hp → HP',
    'ey → EY',
    'bp → BP',
    'sap → SAP',
    'visa → Visa',
    'ford → Ford',
    'dow → Dow',
    'shell → Shell',
    'orange → Orange',
    'target → Target',
    'oracle → Oracle',
    'wise → Wise',
    'block → Block',
    'stone → Stone',
    'eni → Eni',
    'kao → Kao',
    'Ping An → Ping An',
    'john deere → John Deere',
    'BAE SYSTEMS → BAE Systems',
    'rio tinto → Rio Tinto',
  ],
  'beginnings of names': [
    'goog → Google',
    'micros → Microsoft',
    'netf → Netflix',
    'spot → Spotify',
    'starb → Starbucks',
    'volks → Volkswagen Group',
    'salesf → Salesforce',
    'duol → Duolingo',
    'nvid → NVIDIA',
    'merced → Mercedes-Benz Group',
    'goldman → Goldman Sachs',
    'mckin → McKinsey & Company',
    'deloi → Deloitte',
    'walm → Walmart',
    'unite → UnitedHealth Group',
    'boston con → Boston Consulting Group',
    'air new → Air New Zealand',
    'tata con → Tata Consultancy Services',
    'dell → Dell Technologies',
    'sony → Sony Group',
    'samsung → Samsung Electronics',
    'lego → LEGO Group',
    'hyundai → Hyundai Motor Company',
    'bain → Bain & Company',
    'bmw → BMW Group',
    'electronic arts → Electronic Arts',
  ],
  'words of names': [
    'disney → Walt Disney Company',
    'home depot → The Home Depot',
    'new york times → The New York Times Company',
    'lilly → Eli Lilly',
    'hathaway nothing → ',
    'aramco → Saudi Aramco',
    'sachs → Goldman Sachs',
    'benz → Mercedes-Benz Group',
    'sprungli → Lindt & Sprüngli',
    'nordisk → Novo Nordisk',
    'reuters → Thomson Reuters',
    'motors → General Motors',
    'hynix → SK hynix',
    'cola → Coca-Cola',
    'berger → Roland Berger',
    'pacific → Cathay Pacific',
    'inbev → AB InBev',
    'lauder → Estée Lauder Companies',
    'strauss → Levi Strauss & Co.',
    'royce → Rolls-Royce',
  ],
  'signs and accents': [
    'att → AT&T',
    'at&t → AT&T',
    'at and t → AT&T',
    'mercedes benz → Mercedes-Benz Group',
    'loreal → L’Oréal',
    "l'oreal → L’Oréal",
    'oreal → L’Oréal',
    'nestle → Nestlé',
    'hm → H&M',
    'h and m → H&M',
    'johnson and johnson → Johnson & Johnson',
    'mcdonalds → McDonald’s',
    'skoda → Škoda Auto',
    'orsted → Ørsted',
    'hermes → Hermès',
    'estee lauder → Estée Lauder Companies',
    'coca cola → Coca-Cola',
    'eon → E.ON',
    'booking com → Booking.com',
    '7 eleven → 7-Eleven',
    'kahoot → Kahoot!',
    'america movil → América Móvil',
    'itau → Itaú Unibanco',
    'hapag lloyd → Hapag-Lloyd',
    'jp morgan → JPMorgan Chase',
    'exxon mobil → ExxonMobil',
  ],
  'initials, other names and legal forms': [
    'bcg → Boston Consulting Group',
    'tcs → Tata Consultancy Services',
    'p&g → Procter & Gamble',
    'pg → Procter & Gamble',
    'alphabet → Google',
    'facebook → Meta',
    'coke → Coca-Cola',
    'ernst & young → EY',
    'microsoft corp → Microsoft',
    'Apple Inc. → Apple',
    'tesla, inc → Tesla',
    'bain & company → Bain & Company',
  ],
  'inside of names': ['flix → Netflix', 'soft → SoftBank Group', 'book → Booking.com'],
  'one slip of the keys': [
    'microsft → Microsoft',
    'mircosoft → Microsoft',
    'microsfot → Microsoft',
    'toyta → Toyota',
    'tyoota → Toyota',
    'gogle → Google',
    'googel → Google',
    'amazn → Amazon',
    'netflx → Netflix',
    'facbook → Meta',
    'startbucks → Starbucks',
    'addidas → Adidas',
    'siemems → Siemens',
    'accentrue → Accenture',
    'goldmann sachs → Goldman Sachs',
    'mckinzey → McKinsey & Company',
    'volkwagen → Volkswagen Group',
    'nividia → NVIDIA',
  ],
}

const straight = (text: string) => text.replaceAll('’', "'")

test('98 of 100 texts have the wanted company first', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const texts = Object.values(WANTED).flat()
    expect(texts.length).toBeGreaterThanOrEqual(120)
    const wrong: string[] = []
    for (const line of texts) {
      const [text, wanted] = line.split(' → ') as [string, string]
      const [first] = await suggestCompanies(ctx, text)
      if ((first?.name ?? '') !== straight(wanted)) wrong.push(`${line}, not ${first?.name}`)
    }
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(texts.length * 0.02)
  }))

test('"micr" shows Microsoft first or second, "ge" reaches GE', () =>
  as('vera', async (ctx) => {
    await loadStarterCompanies(ctx, 'companies')
    const names = async (text: string) => (await suggestCompanies(ctx, text)).map((it) => it.name)
    expect((await names('micr')).slice(0, 2)).toContain('Microsoft')
    await insertCompanies(ctx, [{ name: 'GE', category: 'Industrial Manufacturing' }])
    expect((await names('ge'))[0]).toBe('GE')
  }))

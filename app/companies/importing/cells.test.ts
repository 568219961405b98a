import { describe, expect, test } from 'vitest'
import { readCompany, readCountry, readDay, readNumber, readYear } from './cells.server.ts'

const read = (row: object) => {
  const { company, omittedCells } = readCompany({ name: 'Acme', ...row })
  return { ...company, omittedCells: omittedCells.map(({ field }) => field) }
}

describe('a number', () => {
  test.each([
    ['1234', 1234],
    ['1234.0', 1234],
    ['1,234', 1234],
    ['1.234.567', 1_234_567],
    ['1.234,50', 1234.5],
    ['1,234.50', 1234.5],
    ['60 000', 60_000],
    ['60’000', 60_000],
    ['0.500', 0.5],
    ['1234.000', 1234],
    ['75,5', 75.5],
    ['~500', 500],
    ['1.2K', 1200],
    ['2.5 m', 2_500_000],
  ])('the number %j is %d', (text, value) => {
    expect(readNumber(text)).toBe(value)
  })

  test.each([
    ['60.000', '“60.000” could be 60 or 60,000'],
    ['1.234', '“1.234” could be 1.234 or 1,234'],
    ['12,34,5', '“12,34,5” isn’t a number'],
    ['huge', '“huge” isn’t a number'],
    ['', '“” isn’t a number'],
  ])('the number %j is refused', (text, message) => {
    expect(() => readNumber(text)).toThrow(message)
  })
})

test.each([
  ['11-50', '1-50'],
  ['2-10', '1-50'],
  ['51 – 200', '51-200'],
  ['201-500', '201-1000'],
  ['1,001-5,000', '1001-5000'],
  ['5001-10000 employees', '5001-20000'],
  ['500-1000', '201-1000'],
  ['250.0', '201-1000'],
  [1200.5, '1001-5000'],
  [0, null],
  ['25,000+', '20001+'],
  ['10001+', null],
  ['10,001+ employees', null],
  ['1-1000', null],
  ['1.234', null],
  ['zero', null],
  ['1 001 - 5 000', '1001-5000'],
  ['2K – 5K', '1001-5000'],
  ['1-5K', null],
  ['11-50 Mitarbeiter', '1-50'],
  ['Self-employed', '1-50'],
  ['300 (2024)', '201-1000'],
  ['０１２３', '51-200'],
  ['over 20,000', '20001+'],
  ['over 5,000', null],
  ['> 10000', null],
  ['500 or more', null],
  ['at least 20,001', '20001+'],
  ['under 50', '1-50'],
  ['< 201', null],
])('the size %j is %j', (size, wanted) => {
  expect(read({ size })).toMatchObject({
    size: wanted,
    omittedCells: wanted === null ? ['size'] : [],
  })
})

test.each([
  ['1998', 1998],
  ['1998.0', 1998],
  ['c. 1998', 1998],
  ['1998-05-03', 1998],
  ['03/05/1998', 1998],
  ['2013 (1888)', 2013],
  ['2019 (L3 1997, Harris 1895)', 2019],
  ['(spun off in 2019)', 2019],
])('the year of %j is %d', (text, year) => {
  expect(readYear(text)).toBe(year)
})

test.each([
  ['1998/2001', '“1998/2001” could be 1998 or 2001'],
  ['1998-99', '“1998-99” could be 1998 or 1999'],
  ['1990s', '“1990s” could be 1990 or 1999'],
  ['before 1900', '“before 1900” isn’t a year, such as 1998'],
  ['>1950', '“>1950” isn’t a year, such as 1998'],
  ['300 BC', '“300 BC” isn’t a year, such as 1998'],
  ['98', '“98” isn’t a year, such as 1998'],
  ['03/04/05', '“03/04/05” isn’t a year, such as 1998'],
  ['1904/1946/1959', '“1904/1946/1959” could be 1904 or 1959'],
  ['1975/1977 (1997)', '“1975/1977 (1997)” could be 1975 or 1977'],
])('the year of %j is refused', (text, message) => {
  expect(() => readYear(text)).toThrow(message)
})

test.each([
  [{ size: '1.234' }, { point: 'thousands' }, { size: '1001-5000' }],
  [{ size: '1.234' }, { point: 'decimals' }, { size: '1-50' }],
  [{ size: '1.001-5.000' }, { point: 'thousands' }, { size: '1001-5000' }],
  [{ founded: '1904/1946/1959' }, { years: 'first' }, { founded: 1904 }],
  [{ founded: '1904/1946/1959' }, { years: 'last' }, { founded: 1959 }],
  [{ founded: '1990s' }, { years: 'first' }, { founded: 1990 }],
  [{ founded: '31.12.98' }, { century: 'later' }, { founded: 1998 }],
  [{ founded: '12/31/05' }, { century: 'earlier' }, { founded: 1905 }],
  [{ founded: '98-12-31' }, { century: 'earlier' }, { founded: 1898 }],
  [{ founded: '’98' }, { century: 'later' }, { founded: 1998 }],
  [{ ticker: 'NA' }, { ticker: 'ticker' }, { ticker: 'NA' }],
  [{ ticker: 'NA' }, { ticker: 'nothing' }, { ticker: null }],
  [{ country: 'na' }, { country: 'Namibia' }, { country: 'NA' }],
  [{ country: 'NA' }, { country: 'nothing' }, { country: null }],
] as const)('%j is left out until someone says %j', (cell, meanings, wanted) => {
  const row = { name: 'Acme', ...cell }
  const [left] = readCompany(row, { thisYear: 2026 }).omittedCells
  expect(left?.unclear?.readings.map(({ meaning }) => meaning)).toContain(
    Object.values(meanings)[0],
  )
  const { company, omittedCells } = readCompany(row, { thisYear: 2026, meanings })
  expect(company).toMatchObject(wanted)
  expect(omittedCells).toEqual([])
})

test('footnotes of a list on the web aren’t in its cells', () => {
  expect(
    read({ name: 'Acme[1]', headquarters: 'York[2][note 3]', founded: '1902[b]' }),
  ).toMatchObject({
    name: 'Acme',
    headquarters: 'York',
    founded: 1902,
  })
  expect(read({ name: 'Acme [Holdings]', ticker: 'A[12345]' })).toMatchObject({
    name: 'Acme [Holdings]',
  })
})

test('a company isn’t founded after this year', () => {
  const { company, omittedCells } = readCompany(
    { name: 'Acme', founded: '2027' },
    { thisYear: 2026 },
  )
  expect(company.founded).toBeNull()
  expect(omittedCells).toMatchObject([{ field: 'year of founding' }])
})

describe('a day', () => {
  test.each([
    ['2026-11-20T08:00:00Z', '2026-11-20'],
    ['2026-12-20T23:59:59+01:00', '2026-12-20'],
    ['Fri, 20 Nov 2026 12:00:00 GMT', '2026-11-20'],
    ['20 November 2026', '2026-11-20'],
    ['Nov 20, 2026', '2026-11-20'],
    ['20.11.2026', '2026-11-20'],
    ['11/20/2026', '2026-11-20'],
    ['05/05/2026', '2026-05-05'],
  ])('the day %j is %s', (text, day) => {
    expect(readDay(text)).toBe(day)
  })

  test.each([
    ['03/05/2026', '“03/05/2026” could be 2026-05-03 or 2026-03-05'],
    ['2026-02-30', '“2026-02-30” isn’t a date, such as 2026-03-14'],
    ['31.11.2026', '“31.11.2026” isn’t a date, such as 2026-03-14'],
    ['soon', '“soon” isn’t a date, such as 2026-03-14'],
  ])('the day %j is refused', (text, message) => {
    expect(() => readDay(text)).toThrow(message)
  })
})

describe('a country', () => {
  test.each([
    ['Germany', 'DE'],
    ['Deutschland', 'DE'],
    ['deu', 'DE'],
    ['Korea (Republic of)', 'KR'],
    ['Venezuela, Bolivarian Republic of', 'VE'],
    ['The Gambia', 'GM'],
    ['U.K.', 'GB'],
    ['Côte d’Ivoire', 'CI'],
    ['Trinidad & Tobago', 'TT'],
    ['中国', 'CN'],
    ['Kosovo', 'XK'],
    ['Congo, Dem. Rep.', 'CD'],
    ['Congo, Rep.', 'CG'],
    ['Korea, Dem. People’s Rep.', 'KP'],
    ['Republic of China', 'TW'],
    ['P. R. China', 'CN'],
    ['Hong Kong, China', 'HK'],
    ['St. Vincent and the Grenadines', 'VC'],
    ['Trinidad/Tobago', 'TT'],
    ['U.S. Virgin Islands', 'VI'],
    ['Kingdom of Denmark', 'DK'],
    ['Egypt, Arab Rep.', 'EG'],
    ['DE – Germany', 'DE'],
    ['Germany / Deutschland', 'DE'],
    ['Bosnia', 'BA'],
    ['États-Unis', 'US'],
  ])('the country %s is %s', (name, code) => {
    expect(readCountry(name)).toBe(code)
  })

  test.each([
    ['NA', '“NA” could be Namibia or “not available”'],
    ['Korea', '“Korea” could be South Korea or North Korea'],
    ['Atlantis', 'We don’t know the country “Atlantis”'],
    ['EU', 'We don’t know the country “EU”'],
    ['Atlanta, Georgia', 'We don’t know the country “Atlanta, Georgia”'],
    ['State of Georgia', 'We don’t know the country “State of Georgia”'],
    ['Germany, France', '“Germany, France” could be Germany or France'],
  ])('the country %s is refused', (name, message) => {
    expect(() => readCountry(name)).toThrow(message)
  })
})

const NOTHING = [
  ...['N/A', '-', 'null', 'nan', 'unknown', '#N/A', '#DIV/0!', '---', '...', '[]', '""', '\\N'],
  ...['<NA>', '(blank)', 'not disclosed', 'n / a', 'None.', '\u200b'],
]

describe('a row', () => {
  test('a row ignores cells that say nothing', () => {
    for (const nothing of NOTHING)
      expect(
        read({ website: nothing, founded: nothing, size: nothing, country: nothing }),
      ).toMatchObject({ website: null, founded: null, size: null, country: null, omittedCells: [] })
  })

  test('a row accepts an address without a scheme', () => {
    expect(read({ website: '//acme.example' })).toMatchObject({ website: 'https://acme.example' })
  })

  test('a row accepts lists where several values fit', () => {
    expect(read({ aliases: ['AJ', 'Arr'], category: ['Tea'] })).toMatchObject({
      aliases: ['AJ', 'Arr'],
      category: 'Tea',
      omittedCells: [],
    })
    for (const list of ['["AJ", "Arr"]', "['AJ', 'Arr']", 'AJ|Arr', 'AJ\nArr'])
      expect(read({ aliases: list })).toMatchObject({ aliases: ['AJ', 'Arr'], omittedCells: [] })
    expect(read({ aliases: [{ name: 'AJ' }] })).toMatchObject({
      aliases: [],
      omittedCells: ['other names'],
    })
    expect(read({ category: ['Tea', 'Coffee'] })).toMatchObject({
      category: 'Other',
      omittedCells: ['category'],
    })
  })

  test('a row with “NA” gets a question where that can be something', () => {
    expect(read({ website: 'NA', founded: 'na', description: 'NA' })).toMatchObject({
      omittedCells: [],
    })
    expect(read({ ticker: 'NA', country: 'NA' })).toMatchObject({
      ticker: null,
      country: null,
      omittedCells: ['country', 'ticker'],
    })
  })

  test('a row can’t be named after nothing', () => {
    for (const name of ['N/A', '#N/A', 'null', '-'])
      expect(read({ name, website: 'acme.com' }).name).toBe('Unknown Company')
    expect(read({ name: 'Unknown' }).name).toBe('Unknown')
  })

  test('a row with nothing else fails with its cell’s reason', () => {
    expect(() => readCompany({ website: 'ftp://x' })).toThrow('The website must start with')
    expect(() => readCompany({ name: 7 })).toThrow('The name must be text')
    expect(() => readCompany(['Acme'])).toThrow('This row isn’t a company')
  })
})

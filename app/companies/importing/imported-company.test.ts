import { describe, expect, test } from 'vitest'
import { NO_FACTS } from '../edits/company-facts.ts'
import { readCompany } from './cells.server.ts'
import { IMPORT_REFUSALS, IMPORT_TEXTS, importedText, undoneSentence } from './import-report.ts'
import { CELL_MAX, checkedCompany, fieldOf, siteOf } from './imported-company.ts'

const ACME = { name: 'Acme', category: 'Tea', website: 'https://acme.com' }

describe('a row', () => {
  test('Spec §5: a missing name becomes "Unknown Company", a missing category "Other"', () => {
    const given = [{ website: 'acme.com' }, { name: ' \t', category: null, website: 'acme.com' }]
    for (const row of given)
      expect(checkedCompany(row)).toEqual({
        name: 'Unknown Company',
        category: 'Other',
        website: 'https://acme.com',
        logoUrl: null,
        description: null,
        ...NO_FACTS,
      })
  })

  test('a row has its company’s facts, however files write them', () => {
    const row = {
      ...ACME,
      aliases: 'Acme Corp; ACME; Acme International',
      headquarters: 'Leuven',
      country: 'Belgium',
      size: '1,200',
      founded: 1998,
      ticker: 'acm',
      legalForm: 'GmbH',
    }
    expect(readCompany(row).company).toMatchObject({
      aliases: ['Acme Corp', 'Acme International'],
      headquarters: 'Leuven',
      country: 'BE',
      size: '1001-5000',
      founded: 1998,
      ticker: 'ACM',
      legalForm: 'GmbH',
    })
    expect(readCompany({ ...ACME, size: '51-200', country: 'uk' }).company).toMatchObject({
      size: '51-200',
      country: 'GB',
    })
    expect(readCompany({ ...ACME, size: '25,000+' }).company.size).toBe('20001+')
    expect(fieldOf('Year founded')).toBe('founded')
    expect(fieldOf('Employees')).toBe('size')
    for (const [field, value, problem] of [
      ['country', 'Atlantis', /country/],
      ['size', 'huge', /size/],
      ['founded', 'long ago', /year/],
      ['aliases', Array.from({ length: 11 }, (_, n) => `Name ${n}`).join(';'), /other names/],
    ] as const)
      expect(() => checkedCompany({ ...ACME, [field]: value })).toThrow(problem)
  })

  test('a row’s text is one line without surrounding spaces or invisible characters', () => {
    expect(
      checkedCompany({ ...ACME, name: ' A\u200bcme\u202e ', description: 'one\r\ntwo\tthree' }),
    ).toMatchObject({ name: 'Acme', description: 'one two three' })
  })

  test.each([
    ['javascript:alert(1)', 'The website must start with http:// or https://'],
    [' JavaScript:alert(1)//acme.com', 'The website must start with http:// or https://'],
    ['data:text/html,x', 'The website must start with http:// or https://'],
    ['ftp://acme.com', 'The website must start with http:// or https://'],
    ['http://127.0.0.1/', 'The website must be on the public web, such as https://example.com'],
    ['http://acme', 'The website must be on the public web, such as https://example.com'],
    ['acme.com:8080', 'The website must be on the public web, such as https://example.com'],
    ['https://dana@acme.com', 'The website’s address can’t contain a username or password'],
    ['not a website', 'This isn’t a valid website address'],
    [`acme.com/${'x'.repeat(300)}`, 'The website’s address can have at most 300 characters'],
    [`bücher.example/${'ü'.repeat(100)}`, 'The website’s address can have at most 300 characters'],
  ])('a row with the website %s is refused', (website, message) => {
    expect(() => checkedCompany({ ...ACME, website })).toThrow(message)
  })

  test.each([
    ['javascript:alert(1)', 'The logo’s address must start with http:// or https://'],
    ['data:image/png;base64,AAAA', 'The logo’s address must start with http:// or https://'],
    ['https://dana:x@acme.com/l.png', 'The logo’s address can’t contain a username or password'],
    ['a logo', 'This isn’t a valid logo address'],
    [`https://acme.com/${'x'.repeat(500)}`, 'The logo’s address can have at most 500 characters'],
  ])('a row with the logo %s is refused', (logo_url, message) => {
    expect(() => checkedCompany({ ...ACME, logo_url })).toThrow(message)
  })

  test.each([
    ['https://cdn.acme.com/l.png?x=1', 'https://cdn.acme.com/l.png?x=1'],
    ['//cdn.acme.com/l.png', 'https://cdn.acme.com/l.png'],
    ['cdn.acme.com/l.png', 'https://cdn.acme.com/l.png'],
    ['', null],
  ])('a row can have the logo %s', (logo_url, logoUrl) => {
    expect(checkedCompany({ ...ACME, logo_url })).toMatchObject({ logoUrl })
  })

  test.each([
    [{ name: 'x'.repeat(121) }, 'A name can have at most 120 characters'],
    [{ category: 'x'.repeat(61) }, 'A category can have at most 60 characters'],
    [{ description: 'x'.repeat(501) }, 'A description can have at most 500 characters'],
    [{ description: 'x'.repeat(1_000_000) }, 'The description has more than 10,000 characters'],
    [{ name: 'Ac\0me' }, 'The name contains a control character'],
    [{ name: 'Ac\x1b[31mme' }, 'The name contains a control character'],
    [{ name: 'Ac\ud800me' }, 'The name contains a control character'],
    [{ website: 'acme.com\x07' }, 'The website contains a control character'],
    [{ name: 7 }, 'The name must be text'],
    [{ category: ['Tea'] }, 'The category must be text'],
  ])('a bad row is refused: %#', (row, message) => {
    expect(() => checkedCompany({ ...ACME, ...row })).toThrow(message)
  })

  test.each([null, 'Acme', 7, ['Acme'], undefined])('a row is an object, not %s', (given) => {
    expect(() => checkedCompany(given)).toThrow('This row isn’t a company')
  })

  test('a row has to say something', () => {
    expect(() => checkedCompany({ name: ' ', shoe: 'x' })).toThrow('This row is empty')
  })

  test('a row can be as long as the column allows, in any script', () => {
    const row = { name: '茶'.repeat(120), category: '茶'.repeat(60), description: '茶'.repeat(500) }
    expect(checkedCompany(row)).toMatchObject(row)
    expect(CELL_MAX).toBeGreaterThan(500)
  })
})

test.each([
  ['https://acme.com', 'acme.com'],
  ['HTTP://WWW.Acme.COM/about?x#y', 'acme.com'],
  ['https://shop.acme.com/', 'shop.acme.com'],
  ['https://BÜCHER.example', 'xn--bcher-kva.example'],
  ['https://www.linkedin.com/company/acme', null],
  ['https://de.linkedin.com/company/acme', null],
  ['https://linkedin.com/', 'linkedin.com'],
  ['nonsense', null],
  [null, null],
])('the site of %s is %s', (website, site) => {
  expect(siteOf(website)).toBe(site)
})

test.each([
  ['Company Name', 'name'],
  ['LOGO_URL', 'logo_url'],
  ['logo url', 'logo_url'],
  ['Web-Site', 'website'],
  ['firstSentence', 'description'],
  ['sector ', 'category'],
  ['constructor', undefined],
  ['', undefined],
])('the column "%s" is %s', (title, field) => {
  expect(fieldOf(title)).toBe(field)
})

test('Spec §8: an import has its toasts', () => {
  expect(IMPORT_REFUSALS.noData).toBe('No valid data to import')
  expect(IMPORT_TEXTS.importing.title).toBe('Importing data')
  expect(IMPORT_TEXTS.done(3)).toEqual({
    title: 'Import successful',
    description: 'Added 3 new companies to the database',
  })
  expect(IMPORT_TEXTS.failed.title).toBe('Error importing companies')
  expect(IMPORT_TEXTS.doneResult(3)).toBe('Successfully imported 3 new companies to the database.')
  expect(IMPORT_TEXTS.failedResult('no')).toBe('Error: no')
})

test.each([
  [{ removed: 3 }, 'Undone: 3 companies removed.'],
  [{ removed: 1, putBack: 2 }, 'Undone: 1 company removed, 2 fields put back.'],
  [{ putBack: 1 }, 'Undone: 1 field put back.'],
  [{}, 'Undone: 0 companies removed.'],
  [
    { putBack: 5, keptCount: 1, keptFields: 2 },
    '5 fields put back. 1 company stayed because people use it. 2 fields stayed because someone has changed them since.',
  ],
  [
    { removed: 5, keptCount: 2, keptFields: 1 },
    '5 companies removed. 2 companies stayed because people use them. 1 field stayed because someone has changed it since.',
  ],
])('undoing %j says what it did', (counts, sentence) => {
  const none = { removed: 0, putBack: 0, keptCount: 0, keptFields: 0 }
  expect(undoneSentence({ ...none, ...counts })).toBe(sentence)
})

test('the log and its file name what an import changed', () => {
  expect(importedText({ added: 4, filled: 0 })).toBe('4 companies')
  expect(importedText({ added: 0, filled: 1 }, 'a.csv')).toBe('facts of 1 company from a.csv')
  expect(importedText({ added: 1, filled: 2 }, 'a.csv')).toBe(
    '1 company and facts of 2 companies from a.csv',
  )
})

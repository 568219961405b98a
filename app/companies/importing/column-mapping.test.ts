import { describe, expect, test } from 'vitest'
import {
  categoryFor,
  categoryKeyOf,
  fieldsOfTitles,
  guessColumns,
  titlesSentence,
  uniqueTitles,
} from './column-mapping.ts'

describe('which column is what', () => {
  test('a public list of companies works without a spreadsheet', () => {
    const titles = [
      ['Symbol', 'ticker'],
      ['Security', 'name'],
      ['GICS Sector', 'category'],
      ['GICS Sub-Industry', undefined],
      ['Headquarters Location', 'headquarters'],
      ['Date added', undefined],
      ['CIK', undefined],
      ['Founded', 'founded'],
      ['Legal form', 'legalForm'],
    ] as const
    expect(fieldsOfTitles(titles.map(([title]) => title))).toEqual(titles.map(([, field]) => field))
  })

  test('the better of two matching columns counts', () => {
    expect(fieldsOfTitles(['Company', 'Name'])).toEqual([undefined, 'name'])
    expect(fieldsOfTitles(['Sub-industry', 'Industry'])).toEqual([undefined, 'category'])
    expect(fieldsOfTitles(['Number of employees', 'shoe size'])).toEqual(['size', undefined])
  })

  test('the cells decide if the column titles don’t', () => {
    const columns = [
      { title: 'Brand name', samples: ['Acme', 'Zenith'] },
      { title: 'Link', samples: ['https://acme.com', 'www.zenith.example.com'] },
      { title: 'Since', samples: ['1998', '2004'] },
      { title: 'Floor', samples: ['1', '2'] },
      { title: 'Empty', samples: [] },
    ]
    expect(guessColumns(columns)).toEqual(['name', 'website', 'founded', undefined, undefined])
  })

  test('every column has its own title', () => {
    expect(uniqueTitles(['Name', ' Name ', '', 'x  y'])).toEqual([
      'Name',
      'Name (2)',
      'Column 3',
      'x y',
    ])
  })

  test('a table without names says what it has', () => {
    expect(titlesSentence(['Symbol', 'Sector'], 'name')).toBe(
      'The file has columns Symbol, Sector, but none looks like a name',
    )
    expect(titlesSentence(['Sector'], 'name')).toBe(
      'The file has one column, Sector, which doesn’t look like a name',
    )
    expect(titlesSentence(Array(15).fill('x'), 'name')).toContain('x (12) and 3 more, but none')
  })
})

describe('the category of a row', () => {
  const here = new Map(
    ['Healthcare', 'Food & Beverage', 'Energy'].map((name) => [categoryKeyOf(name), name]),
  )
  const none = { here, chosen: new Map<string, string>() }

  test.each([
    ['Health Care', 'Healthcare'],
    ['ENERGY', 'Energy'],
    ['food and beverage', 'Food & Beverage'],
    ['Consumer Staples', 'Food & Beverage'],
    // The file has no similar column.
    ['Industrials', 'Industrials'],
    ['Tea', 'Tea'],
  ])('a row’s category %s goes into %s', (given, category) => {
    expect(categoryFor(given, none)).toBe(category)
  })

  test('a row’s category becomes what someone chose before', () => {
    expect(categoryFor('Health care', { here, chosen: new Map([['health care', 'Energy']]) })).toBe(
      'Energy',
    )
  })
})

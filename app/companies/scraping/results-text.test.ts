import { describe, expect, test } from 'vitest'
import { companiesIn, resultsText } from './results-text.ts'
import type { ScraperResult } from './scraping.ts'

const ANVIL: ScraperResult = {
  company: 'Anvil “Works”, Inc.',
  category: 'Manufacturing',
  url: 'https://anvilworks.example/',
  logo: 'https://logos.example/anvl.svg',
  firstSentence: 'It says "hello".',
  error: null,
}
const BARE = {
  ...ANVIL,
  company: 'Bare',
  category: null,
  url: null,
  logo: null,
  firstSentence: null,
}
const UNREAD = { ...BARE, company: 'Unread', error: 'The page took too long' }

describe('results as a text', () => {
  test('Spec §3: a scraper result becomes an imported company', () => {
    expect(companiesIn(resultsText([ANVIL, BARE]))).toEqual({
      companies: [
        {
          name: 'Anvil “Works”, Inc.',
          category: 'Manufacturing',
          website: 'https://anvilworks.example/',
          logo_url: 'https://logos.example/anvl.svg',
          description: 'It says "hello".',
        },
        { name: 'Bare' },
      ],
    })
  })

  test('has a field per line, empty ones to be filled in, and not what could not be read', () => {
    expect(resultsText([UNREAD, BARE]).split('\n')).toEqual([
      '[',
      '  {',
      '    "company": "Bare",',
      '    "category": "",',
      '    "url": "",',
      '    "logo": "",',
      '    "firstSentence": ""',
      '  }',
      ']',
    ])
  })

  test('what people change is what is sent', () => {
    const text = resultsText([ANVIL]).replace('Manufacturing', 'Tools & more')
    expect(companiesIn(text)).toMatchObject({ companies: [{ category: 'Tools & more' }] })
  })

  test('imported companies, and whole results with their errors, can be pasted', () => {
    const rows = [{ name: 'A', logo_url: 'https://a.example/a.png', description: null }, UNREAD]
    expect(companiesIn(JSON.stringify(rows))).toEqual({
      companies: [{ name: 'A', logo_url: 'https://a.example/a.png' }],
    })
  })

  test.each(['[]', '[{}]', '[{"company":"  ","url":null}]'])(
    'Spec §5: %s is "No valid data to import"',
    (text) => expect(companiesIn(text)).toEqual({ problem: 'No valid data to import' }),
  )

  test('Spec §5: a missing name is left to the import, which has a default for it', () => {
    expect(companiesIn('[{"category":"Retail"}]')).toEqual({ companies: [{ category: 'Retail' }] })
  })

  const list = (row: string) => `[\n  {"company":"A"},\n  ${row}\n]`
  test.each([
    ['', 'This isn’t valid JSON'],
    ['Anvil Works\tTools', 'This isn’t valid JSON'],
    [list('{"company":"B",}'), 'See line 3. Put texts in quotes, separated by commas.'],
    [list('{"company":"B"'), 'This isn’t valid JSON'],
    ['{"company":"A"}', 'The text must be a list: [ … ]'],
    ['null', 'The text must be a list: [ … ]'],
    [list('"B"'), 'Company 2: it must be { … }'],
    [list('[]'), 'Company 2: it must be { … }'],
    [list('{"company":7}'), 'Company 2: "company" must be text in quotes'],
    [list('{"compny":"B"}'), 'Company 2: there’s no field "compny"'],
    [list('{"__proto__":"B"}'), 'Company 2: there’s no field "__proto__"'],
    [list('{"company":"B","name":"C"}'), 'Company 2: "name" is there twice'],
    [
      list('{"company":"B","url":"javascript:alert(1)"}'),
      'Company 2: The website must begin with http:// or https://',
    ],
    [list(`{"company":"${'B'.repeat(121)}"}`), 'Company 2: A name has at most 120 characters'],
  ])('a bad text gets a sentence: %s', (text, problem) => {
    expect(companiesIn(text)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

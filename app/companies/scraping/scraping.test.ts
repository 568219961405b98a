/** The texts of Spec §8, and how a run reaches the browser. */
import { describe, expect, test, vi } from 'vitest'
import { runScraper, sendCompanies } from './scraping.data.ts'
import {
  companiesIn,
  errorText,
  mayImport,
  NO_DATA,
  resultsText,
  SCRAPER_FAILED,
  SCRAPER_LIMIT,
  SCRAPER_STARTED,
  type ScraperResult,
  scraperCompleted,
  statusMessage,
  TRY_LATER,
  UNAUTHORIZED,
} from './scraping.ts'

test('Spec §8: the scraper has its toasts', () => {
  expect(SCRAPER_STARTED).toEqual({
    title: 'Scraper started',
    description: 'This may take a minute to complete, please be patient.',
  })
  expect(scraperCompleted(7)).toEqual({
    title: 'Scraper completed',
    description: 'Found 7 companies',
  })
  expect(statusMessage(502, 'Bad gateway')).toBe('API returned status 502: Bad gateway')
  expect(statusMessage(502, '')).toBe('API returned status 502: Unknown error')
  expect(SCRAPER_FAILED).toBe('Error running scraper')
  expect(errorText('Nothing')).toBe('Error: Nothing')
  expect(TRY_LATER).toBe('Please try again later.')
})

test('Spec §2.14, §8: "Unauthorized" has its texts', () => {
  expect(UNAUTHORIZED).toMatchObject({
    title: 'Unauthorized',
    description: "You don't have permission to access this page",
  })
})

test('Spec §5: an import without results has its toast', () => {
  expect(NO_DATA).toEqual({
    title: 'No data to import',
    description: 'Please run the scraper first',
  })
})

test('Spec §4: an import is possible only after results, and not after an error', () => {
  expect((['idle', 'loading', 'success', 'error'] as const).map(mayImport)).toEqual([
    false,
    false,
    true,
    false,
  ])
})

test('Spec §9: the scraper’s limit is 10', () => expect(SCRAPER_LIMIT).toBe(10))

const row = (company: string): ScraperResult => ({
  company,
  category: null,
  url: null,
  logo: null,
  firstSentence: null,
  error: null,
})

/** A server that answers so, in these pieces; what it was asked. */
function serverThat(status: number, ...pieces: (string | Uint8Array)[]) {
  const asked: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { body }: { body: string }) => {
    asked.push([url, JSON.parse(body)])
    const coder = new TextEncoder()
    const stream = new ReadableStream({
      start(controller) {
        for (const piece of pieces)
          controller.enqueue(typeof piece === 'string' ? coder.encode(piece) : piece)
        controller.close()
      },
    })
    return new Response(stream, { status })
  })
  return asked
}

const watch = () => {
  const told: unknown[] = []
  return {
    told,
    signal: new AbortController().signal,
    onFound: (found: number) => told.push(found),
    onResult: ({ company }: ScraperResult) => told.push(company),
  }
}

describe('a run in the browser', () => {
  test('a run’s lines all arrive, wherever the pieces are cut', async () => {
    const answer = { results: [row('A'), row('Söhne')], error: null }
    const lines = [{ found: 2 }, { result: row('A') }, { result: row('Söhne') }, answer]
    const bytes = new TextEncoder().encode(`${lines.map((it) => JSON.stringify(it)).join('\n')}\n`)
    const asked = serverThat(200, ...Array.from(bytes, (byte) => Uint8Array.of(byte)))
    const watching = watch()
    expect(await runScraper(watching)).toEqual(answer)
    expect(watching.told).toEqual([2, 'A', 'Söhne'])
    expect(asked).toEqual([['/functions/v1/scrape-market-movers', { limit: 10 }]])
  })

  test('a run that’s cut short says so', async () => {
    serverThat(200, '{"found":2}\n', `{"result":${JSON.stringify(row('A'))}}\n`)
    await expect(runScraper(watch())).rejects.toThrow(
      'The connection ended before the scraper was done',
    )
  })

  test('a run without a connection says so', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    await expect(runScraper(watch())).rejects.toThrow(
      'There was no response. Check your connection.',
    )
  })

  test.each([
    [
      409,
      '{"error":{"code":"conflict","message":"It runs."}}',
      'API returned status 409: It runs.',
    ],
    [502, 'Bad gateway', 'API returned status 502: Bad gateway'],
    [500, '', 'API returned status 500: Unknown error'],
  ])('Spec §8: a run that’s refused with %i says so', async (status, body, message) => {
    serverThat(status, body)
    await expect(runScraper(watch())).rejects.toThrow(message)
  })
})

describe('Spec §7.3: an import in the browser', () => {
  test('an import sends companies, and answers how many were new', async () => {
    const asked = serverThat(200, '{"success":true,"imported":2,"error":"1 row was not imported."}')
    expect(await sendCompanies([{ name: 'A' }])).toEqual({
      imported: 2,
      error: '1 row was not imported.',
    })
    expect(asked).toEqual([
      ['/functions/v1/import-companies-custom', { companies: [{ name: 'A' }] }],
    ])
  })

  test.each([
    [400, '{"success":false,"imported":0,"error":"Row 1: no."}', 'Row 1: no.'],
    [200, '{"success":false,"imported":0,"error":"Not today"}', 'Not today'],
    [504, '', 'API returned status 504: Unknown error'],
  ])('an import that fails says why: %i', async (status, body, message) => {
    serverThat(status, body)
    await expect(sendCompanies([{ name: 'A' }])).rejects.toThrow(message)
  })
})

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

  test('a result’s text has a line per field, even empty ones, and none for an error', () => {
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

  test('an import sends what people changed in the text', () => {
    const text = resultsText([ANVIL]).replace('Manufacturing', 'Tools & more')
    expect(companiesIn(text)).toMatchObject({ companies: [{ category: 'Tools & more' }] })
  })

  test('a text can be imported companies, or whole results with their errors', () => {
    const rows = [{ name: 'A', logo_url: 'https://a.example/a.png', description: null }, UNREAD]
    expect(companiesIn(JSON.stringify(rows))).toEqual({
      companies: [{ name: 'A', logo_url: 'https://a.example/a.png' }],
    })
  })

  test.each(['[]', '[{}]', '[{"company":"  ","url":null}]'])(
    'Spec §5: %s is "No valid data to import"',
    (text) => expect(companiesIn(text)).toEqual({ problem: 'No valid data to import' }),
  )

  test('Spec §5: the import fills in a missing name, for which it has a default', () => {
    expect(companiesIn('[{"category":"Retail"}]')).toEqual({ companies: [{ category: 'Retail' }] })
  })

  const list = (row: string) => `[\n  {"company":"A"},\n  ${row}\n]`
  test.each([
    ['', 'This isn’t valid JSON'],
    ['Anvil Works\tTools', 'This isn’t valid JSON'],
    [
      list('{"company":"B",}'),
      'See line 3. Put each text in quotes and separate them with commas.',
    ],
    [list('{"company":"B"'), 'This isn’t valid JSON'],
    ['{"company":"A"}', 'The text must be a list: [ … ]'],
    ['null', 'The text must be a list: [ … ]'],
    [list('"B"'), 'Company 2: it must be { … }'],
    [list('[]'), 'Company 2: it must be { … }'],
    [list('{"company":7}'), 'Company 2: "company" must be text in quotes'],
    [list('{"compny":"B"}'), 'Company 2: there’s no field "compny"'],
    [list('{"__proto__":"B"}'), 'Company 2: there’s no field "__proto__"'],
    [list('{"company":"B","name":"C"}'), 'Company 2: "name" appears twice'],
    [
      list('{"company":"B","url":"javascript:alert(1)"}'),
      'Company 2: The website must start with http:// or https://',
    ],
    [list(`{"company":"${'B'.repeat(121)}"}`), 'Company 2: A name can have at most 120 characters'],
  ])('a bad text gets a sentence: %s', (text, problem) => {
    expect(companiesIn(text)).toEqual({ problem: expect.stringContaining(problem) })
  })
})

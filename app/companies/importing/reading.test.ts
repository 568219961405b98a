import { describe, expect, test } from 'vitest'
import { csvText } from '#app/platform/csv.server.ts'
import fc from '#tests/support/fast-check.ts'
import { createCsvReader } from './csv-reader.server.ts'
import { rowsAs, rowsIn } from './file-rows.server.ts'
import type { ImportFormat } from './import-report.ts'
import { CELL_MAX, type UncheckedCompany } from './imported-company.ts'

/** A file that arrives in pieces of so many bytes. */
async function* inPieces(file: Buffer, size = 7) {
  for (let at = 0; at < file.length; at += size) yield file.subarray(at, at + size)
}

async function rowsOf(file: Buffer | string, format: ImportFormat = 'csv', size?: number) {
  const rows = []
  for await (const row of rowsIn(inPieces(Buffer.from(file), size), format)) rows.push(row)
  return rows
}
const namesIn = async (file: Buffer | string, format?: ImportFormat) =>
  (await rowsOf(file, format)).map(({ given }) => (given as UncheckedCompany)?.name)

test.each(['csv', 'json'] as const)(
  'other work gets turns while a %s is read from memory',
  async (format) => {
    let turns = 0
    let isRead = false
    const work = () => {
      turns++
      if (!isRead) setImmediate(work)
    }
    setImmediate(work)
    const file = format === 'csv' ? 'name\nAcme\nBolt\n' : '[{"name":"Acme"},{"name":"Bolt"}]'
    const pieces = [...file].map((letter) => Buffer.from(letter))
    for await (const _ of rowsIn(pieces, format));
    isRead = true
    expect(turns).toBeGreaterThan(pieces.length)
  },
)

describe('CSV', () => {
  const table = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 5 }))
  const separators = fc.constantFrom(',', ';', '\t')

  test('any table can be written and read again, wherever it’s cut', () => {
    fc.assert(
      fc.property(table, separators, fc.integer({ min: 1, max: 9 }), (rows, separator, size) => {
        const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`
        const text = rows.map((row) => `${row.map(quoted).join(separator)}\r\n`).join('')
        const reader = createCsvReader(separator)
        const records = []
        for (let at = 0; at < text.length; at += size)
          records.push(...reader.read(text.slice(at, at + size)))
        records.push(...reader.end())
        expect(records.map(({ cells }) => cells)).toEqual(rows)
      }),
    )
  })

  test('an export is read back unchanged, even formulas', async () => {
    const names = ['=1+1', '+2', '-3', ' @x', '＝1', 'a "b", c', '1;2', "'quoted'", 'Acme']
    const file = csvText([['name', 'website'], ...names.map((name) => [name, ''])])
    expect(file).toContain("'=1+1")
    expect(await namesIn(file)).toEqual(names)
  })

  test.each([
    ['a BOM', '\ufeffname,category\r\nAcme,Tea\r\n'],
    ['semicolons', 'Name;Category\nAcme;Tea'],
    ['tabs', 'Name\tCategory\nAcme\tTea'],
    ['the columns in another order and case', 'SECTOR,Company Name\nTea,Acme\n'],
    ['columns that nobody asked for', 'id,name,category,shoe size\n7,Acme,Tea,43\n'],
    ['what Excel says of its separator', 'sep=;\r\nname;category\r\nAcme;Tea\r\n'],
    ['lines of an old Mac', 'name,category\rAcme,Tea\r'],
    ['quotes and spaces before them', '"name", "category"\n"Acme", "Tea"\n'],
    ['blank lines and rows of nothing', '\n\nname,category\n,\n\nAcme,Tea\n\n'],
  ])('CSV is read with %s', async (_, file) => {
    expect((await rowsOf(file)).map(({ given }) => given)).toEqual([
      expect.objectContaining({ name: 'Acme', category: 'Tea' }),
    ])
  })

  test('rows are numbered like in a spreadsheet, including blank ones and line ends in quotes', async () => {
    const file = 'name,description\n\nAcme,"one\ntwo ""three"""\nZenith,5" pipes\n'
    expect(await rowsOf(file)).toEqual([
      { row: 3, given: { name: 'Acme', description: 'one\ntwo "three"' } },
      { row: 4, given: { name: 'Zenith', description: '5" pipes' } },
    ])
  })

  test.each(['utf-16le', 'utf-16be'])('CSV is read in %s', async (encoding) => {
    const file = Buffer.from('\ufeffname\tcategory\r\nBücher AG\tTea\r\n', 'utf16le')
    expect(await namesIn(encoding === 'utf-16le' ? file : file.swap16())).toEqual(['Bücher AG'])
  })

  test('a character split between two chunks stays whole', async () => {
    const file = `name\n${'Bücher 茶 🫖 '.repeat(20)}\n`
    for (const size of [1, 2, 3, 5])
      expect((await rowsOf(file, 'csv', size))[0]?.given).toEqual({ name: file.slice(5, -1) })
  })

  test.each([1, 7, 4096])(
    'a cell that isn’t UTF-8 is left out and reported, %i bytes at a time',
    async (size) => {
      const file = Buffer.from(
        'name\nAcme\n"two\nlines"\nB\u00fccher\nZenith\nCaf\u00c3\u00a9\n',
        'latin1',
      )
      expect(await rowsOf(file, 'csv', size)).toEqual([
        { row: 2, given: { name: 'Acme' } },
        { row: 3, given: { name: 'two\nlines' } },
        {
          row: 4,
          given: {},
          unread: {
            name: 'This has characters that were lost, or aren’t UTF-8. In Excel, save it as "CSV UTF-8 (Comma delimited)" and send it again',
          },
        },
        { row: 5, given: { name: 'Zenith' } },
        { row: 6, given: { name: 'Café' } },
      ])
    },
  )

  test.each([1, 7, 4096])(
    'a quote that’s never closed loses only its own row, %i bytes at a time',
    async (size) => {
      const file =
        'name,category\r\n"Acme, Inc.",Tea\r\n"Zenith,Tea\r\nFirm 1,Tea\r\nFirm 2,Tea\r\n'
      expect(await rowsOf(file, 'csv', size)).toEqual([
        { row: 2, given: { name: 'Acme, Inc.', category: 'Tea' } },
        { row: 3, problem: 'This row opens a quote that never closes' },
        { row: 4, given: { name: 'Firm 1', category: 'Tea' } },
        { row: 5, given: { name: 'Firm 2', category: 'Tea' } },
      ])
    },
  )

  test.each([
    [
      'no titles',
      'Acme,Tea\nZenith,Tea\n',
      'The file has columns Acme, Tea, but none looks like a name. The first row must name the columns: name, category, website, logo_url, description',
    ],
    [
      'a workbook',
      Buffer.from(`PK\x03\x04${'.'.repeat(26)}[Content_Types].xml`),
      /^This is a workbook, not a CSV file/,
    ],
    ['a ZIP archive', Buffer.from('PK\x03\x04rest'), /^This is a ZIP archive, not a CSV file/],
    ['bytes', Buffer.from('name\0x\n'), 'This isn’t a text file'],
  ])('a CSV file is refused as a whole: %s', async (_, file, message) => {
    await expect(rowsOf(file)).rejects.toMatchObject({
      status: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test('a cell of 1 MB is left out, and a row with too many cells fails alone', async () => {
    const tooLong = { description: 'This cell has more than 10,000 characters' }
    const file = `name,description\nAcme,${'x'.repeat(1_000_000)}\nZenith,one, two\nKettle,"${'y'.repeat(1_000_000)}"\nFine,yes\n`
    expect(await rowsOf(file, 'csv', 65_536)).toEqual([
      { row: 2, given: { name: 'Acme' }, unread: tooLong },
      { row: 3, problem: 'This row has more cells than there are titles. Is a quote missing?' },
      { row: 4, given: { name: 'Kettle' }, unread: tooLong },
      { row: 5, given: { name: 'Fine', description: 'yes' } },
    ])
  })

  test('a row can have fewer cells than there are columns', async () => {
    expect(await rowsOf('name,category\nAcme\n')).toEqual([
      { row: 2, given: { name: 'Acme', category: '' } },
    ])
  })

  test.each([
    ['bars', 'name|category\nAcme|Tea\n'],
    ['formulas that keep a text', 'name,category\n"=""Acme""","=""Tea"""\n'],
    ['UTF-16 without a mark', Buffer.from('name,category\nAcme,Tea\n', 'utf16le')],
    ['UTF-16 the other way', Buffer.from('name,category\nAcme,Tea\n', 'utf16le').swap16()],
    ['seven hundred columns', `name,category,${'x,'.repeat(700)}x\nAcme,Tea\n`],
  ])('CSV with %s is read', async (_, file) => {
    expect(await rowsOf(file)).toEqual([{ row: 2, given: { name: 'Acme', category: 'Tea' } }])
  })

  test('an unclosed quote in the titles doesn’t read forever', async () => {
    await expect(rowsOf(`${'""'.repeat(40_000)}"`, 'csv', 65_536)).rejects.toMatchObject({
      status: 400,
    })
  })
})

describe('JSON', () => {
  test.each([
    ['an array', '[{"name":"Acme"},\n {"company":"Zen]ith \\"}"} ]'],
    ['an object a line', '{"name":"Acme"}\n{"Company":"Zen]ith \\"}"}\n'],
    ['objects over several lines', '{\n"name": "Acme"\n}\n\n{"name": "Zen]ith \\"}", "x": [{}]}'],
    ['a BOM', '\ufeff[{"name":"Acme"},{"name":"Zen]ith \\"}"}]'],
    [
      'what an API answers',
      '{"total": 2, "next": null, "data": [{"name":"Acme"},{"name":"Zen]ith \\"}"}]}',
    ],
    ['companies', ' {\n"companies" : [{"name":"Acme"},{"name":"Zen]ith \\"}"}], "page": {"x": 1}}'],
  ])('JSON is read as %s', async (_, file) => {
    for (const size of [1, 5, 100])
      expect(await rowsOf(file, 'json', size)).toEqual([
        { row: 1, given: { name: 'Acme' } },
        { row: 2, given: { name: 'Zen]ith "}' } },
      ])
  })

  test('the scraper’s results have the right fields (Spec §3)', async () => {
    const found = {
      company: 'Acme',
      category: 'Tea',
      url: 'acme.com',
      logo: 'l',
      firstSentence: 's',
    }
    expect((await rowsOf(JSON.stringify([found]), 'json'))[0]?.given).toEqual({
      name: 'Acme',
      category: 'Tea',
      website: 'acme.com',
      logo_url: 'l',
      description: 's',
    })
  })

  test.each([
    ['a comma at the end', '[{"name":"Acme"},]', 'Row 2 isn’t valid JSON'],
    ['no comma', '[{"name":"Acme"} {"name":"Zenith"}]', 'Row 2 isn’t valid JSON'],
    ['an array without an end', '[{"name":"Acme"}', 'The file is cut off after row 1'],
    ['an object without one', '{"name":"Acme"', 'The file ends in the middle of row 1'],
    ['texts', '["Acme"]', /^The file has one column, Column 1, which doesn’t look like a name/],
    ['a number', '7', /^The file has one column, 7, which doesn’t look like a name/],
    ['two arrays', '[] []', 'There’s text after the end of the array'],
    ['a million brackets', `{"a":${'['.repeat(1_000_000)}`, 'Row 1 isn’t valid JSON'],
  ])('a JSON file is refused: %s', async (_, file, message) => {
    await expect(rowsOf(file, 'json', 65_536)).rejects.toMatchObject({
      status: 400,
      message: typeof message === 'string' ? message : expect.stringMatching(message),
    })
  })

  test('a row that isn’t JSON fails alone if its end can be found', async () => {
    expect(await rowsOf('[{"name":Acme},{"name":"Zenith"}]', 'json')).toEqual([
      { row: 1, problem: 'This row isn’t valid JSON' },
      { row: 2, given: { name: 'Zenith' } },
    ])
  })

  test('an object of 1 MB fails alone', async () => {
    const file = `{"name":"${'x'.repeat(1_000_000)}"}\n{"name":"Acme"}`
    expect(await rowsOf(file, 'json', 65_536)).toEqual([
      { row: 1, problem: 'This row is too long' },
      { row: 2, given: { name: 'Acme' } },
    ])
  })

  test('a row can’t reach the prototype of its fields', async () => {
    const rows = await rowsOf(
      '[{"__proto__":{"name":"x"},"constructor":"y","name":"Acme"}]',
      'json',
    )
    expect(rows[0]?.given).toEqual({ name: 'Acme' })
    expect(({} as UncheckedCompany).name).toBeUndefined()
  })
})

const CSV = { encoding: 'utf-8', layout: { separator: ',', titles: 1 } } as const

/** `count` rows, made as they are asked for; counts how many bytes were handed out. */
async function* manyRows(count: number, handed: { bytes: number }) {
  const rows = 500
  for (let row = -1; row < count; row += rows) {
    const lines = Array.from({ length: rows }, (_, i) =>
      row + i < 0
        ? 'name,website,description'
        : `Company ${row + i},https://c${row + i}.example.com,"A sentence, quoted"`,
    )
    const chunk = Buffer.from(`${lines.join('\n')}\n`)
    handed.bytes += chunk.length
    yield chunk
  }
}

test('50,000 rows are streamed with only a chunk of the file in memory', async () => {
  const handed = { bytes: 0 }
  let rows = 0
  let ahead = 0
  let largest = 0
  for await (const { given } of rowsAs(manyRows(50_000, handed), CSV)) {
    if ((given as UncheckedCompany).name !== `Company ${rows}`)
      throw new Error(`Row ${rows} is wrong`)
    rows++
    const bytesOfRow = `Company ${rows},https://c${rows}.example.com,"A sentence, quoted"\n`.length
    ahead += bytesOfRow
    largest = Math.max(largest, handed.bytes - ahead)
  }
  expect(rows).toBeGreaterThanOrEqual(50_000)
  expect(handed.bytes).toBeGreaterThan(2_500_000)
  // One piece of 500 rows is some 30 kB.
  expect(largest).toBeLessThan(100_000)
})

test('an endless cell isn’t kept in memory', () => {
  const reader = createCsvReader(',')
  reader.read('"')
  const piece = 'x'.repeat(CELL_MAX)
  for (let i = 0; i < 1_000; i++) expect(reader.read(piece)).toEqual([])
  const [record] = reader.end()
  expect(record?.tooLong).toEqual([0])
  expect(record?.cells.join('').length).toBeLessThanOrEqual(CELL_MAX)
})

/** Files that strangers bring: in any encoding, with any separator, with or without titles, wrapped in any JSON. */
import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { ENCODINGS, type Encoding, questionSentence, type Reading } from './file-reading.ts'
import {
  AS_TITLED,
  chosenTable,
  type FileRow,
  orderedTable,
  readingOf,
  recognise,
  requireReading,
  rowsAs,
} from './file-rows.server.ts'
import { encodingOf } from './file-text.server.ts'
import type { ImportFormat } from './import-report.ts'

const sourceOf = (file: Buffer | string, format: ImportFormat) => ({
  bytes: () => Readable.from([Buffer.from(file)]),
  format,
})

/** What ada sees of a file: its rows, or a question. */
async function look(file: Buffer | string, format: ImportFormat = 'csv', given: Reading = {}) {
  const source = sourceOf(file, format)
  const recognised = await recognise(source, given, AS_TITLED)
  if ('question' in recognised) return { question: recognised.question }
  const rows: FileRow[] = []
  for await (const row of rowsAs(source.bytes(), recognised.known, AS_TITLED)) rows.push(row)
  return { rows, reading: readingOf(recognised.known) }
}
const given = async (...file: Parameters<typeof look>) =>
  (await look(...file)).rows?.map(({ given, problem }) => given ?? problem)
const choices = async (...file: Parameters<typeof look>) =>
  (await look(...file)).question?.choices.map(({ value, rows }) => [value, ...rows])

const ACME = { name: 'Acme', website: 'acme.com' }
const ZEN = { name: 'Zen', website: 'zen.com' }

describe('an encoding', () => {
  const named = (hex: string) =>
    Buffer.concat([Buffer.from('name\r\n'), Buffer.from(hex, 'hex'), Buffer.from('\r\n')])

  test.each<[Encoding, string, string]>([
    ['windows-1252', 'Crédit Agricole, Hermès', '4372e96469742041677269636f6c652c204865726de873'],
    ['windows-1250', 'Žabka Łódź Gdańsk', '8e61626b6120a3f3649f20476461f1736b'],
    ['windows-1251', 'Газпром Яндекс Сбербанк', 'c3e0e7eff0eeec20dfede4e5eaf120d1e1e5f0e1e0edea'],
    ['macintosh', 'Société Müller Hermès', '536f63698e748e204d9f6c6c6572204865726d8f73'],
    ['shift_jis', 'トヨタ自動車 任天堂', '83678388835e8ea993ae8ed4209443935693b0'],
    ['gb18030', '中国石油化工 腾讯控股', 'd6d0b9facaafd3cdbbafb9a420ccdad1b6bfd8b9c9'],
    ['big5', '台灣積體電路 鴻海精密', 'a578c657bf6ec5e9b971b8f420c245aefcbaebb14b'],
    ['euc-kr', '삼성전자 현대자동차', 'bbefbcbac0fcc0da20c7f6b4ebc0dab5bfc2f7'],
    ['iso-8859-15', 'Žižka Šmíd Œuvre', 'b469b86b6120a66ded6420bc75767265'],
    ['iso-8859-2', 'Škoda Żabka Łódź', 'a96b6f646120af61626b6120a3f364bc'],
    ['windows-1254', 'Türkiye İş Bankası', '54fc726b69796520ddfe2042616e6b6173fd'],
    ['koi8-r', 'Газпром Яндекс', 'e7c1dad0d2cfcd20f1cec4c5cbd3'],
  ])('%s is recognized or asked about, and “%s” is read', async (encoding, text, hex) => {
    const found = await encodingOf(sourceOf(named(hex), 'csv').bytes())
    if ('question' in found)
      expect(found.question.choices).toContainEqual({ value: encoding, rows: [text] })
    else expect(found).toEqual({ encoding })
    expect(await given(named(hex), 'csv', { encoding, separator: 'none' })).toEqual([
      { name: text },
    ])
  })

  test('an encoding that gives the only natural text needs no question', async () => {
    const german = named(Buffer.from('Müller & Söhne, Café Süß', 'latin1').toString('hex'))
    expect(await encodingOf(sourceOf(german, 'csv').bytes())).toEqual({ encoding: 'windows-1252' })
    const quotes = named(Buffer.from('L\x92Or\xe9al \x80', 'latin1').toString('hex'))
    expect(await given(quotes)).toEqual([{ name: 'L’Oréal €' }])
  })

  test('an unclear encoding needs a question, with three rows that tell the choices apart', async () => {
    const names = ['Acme', 'Crème', 'Hermès', 'Nestlé', 'Société Générale', 'Mañana', 'Forêt']
    const file = Buffer.from(`name\n${names.join('\n')}\n`, 'latin1')
    expect(await choices(file)).toEqual([
      ['windows-1252', 'Crème', 'Hermès', 'Mañana'],
      ['windows-1250', 'Crčme', 'Hermčs', 'Mańana'],
      ['windows-1257', 'Crčme', 'Hermčs', 'Mańana'],
    ])
    const { question } = await look(file)
    await expect(requireReading(sourceOf(file, 'csv'))).rejects.toMatchObject({
      status: 400,
      message: question && questionSentence(question),
    })
  })

  test.each(['utf-8', 'utf-16le', 'utf-16be'] as const)(
    '%s is read with and without a mark',
    async (encoding) => {
      for (const mark of ['', '\ufeff']) {
        const text = `${mark}name,website\nトヨタ自動車,acme.com\n`
        const wide = Buffer.from(text, 'utf16le')
        const file = encoding === 'utf-8' ? text : encoding === 'utf-16le' ? wide : wide.swap16()
        expect(await look(file)).toEqual({
          rows: [{ row: 2, given: { name: 'トヨタ自動車', website: 'acme.com' } }],
          reading: { encoding, separator: ',', titles: 1 },
        })
      }
    },
  )

  test('an error names UTF-32', async () => {
    const file = Buffer.from([0xff, 0xfe, 0, 0, 0x6e, 0, 0, 0])
    await expect(look(file)).rejects.toThrow('This file is in UTF-32')
  })

  test('a chosen encoding says which characters it can’t read', async () => {
    const file = Buffer.from('name,category\nAcme,\x81\x39\n', 'latin1')
    expect((await look(file, 'csv', { encoding: 'shift_jis' })).rows).toEqual([
      {
        row: 2,
        given: { name: 'Acme' },
        unread: {
          category: `This has characters that were lost, or aren’t ${ENCODINGS.shift_jis}`,
        },
      },
    ])
  })

  test('one damaged line loses only its cell', async () => {
    const file = Buffer.concat([
      Buffer.from('name,category\nBücher,Tea\nMüller,Tea\nZen,'),
      Buffer.from([0xe9, 0x0a]),
    ])
    const { rows, reading } = await look(file)
    expect(reading).toMatchObject({ encoding: 'utf-8' })
    expect(rows?.at(-1)).toMatchObject({ given: { name: 'Zen' }, unread: { category: /lost/ } })
  })
})

describe('a table', () => {
  test.each([
    ['carets', 'name^website\nAcme^acme.com\n'],
    ['tildes', 'name~website\nAcme~acme.com\n'],
    ['bars, twice', 'name||website\nAcme||acme.com\n'],
    ['colons', 'name:website\nAcme:acme.com\n'],
    ['a declared separator', 'sep=^\r\nname^website\r\nAcme^acme.com\r\n'],
    ['lines of text before its titles', 'Companies 2026\nBy ada\n\nname,website\nAcme,acme.com\n'],
    ['cells before its titles', 'Report,\nDate,2026-03-14\nname,website\nAcme,acme.com\n'],
    ['a line below its titles', 'name | website\n-----+---------\nAcme | acme.com\n'],
    [
      'a frame',
      '+------+----------+\n| name | website  |\n+------+----------+\n| Acme | acme.com |\n',
    ],
    ['columns of a fixed width', 'NAME          WEBSITE\nAcme          acme.com\n'],
    ['the ending of JSON', 'name,website\nAcme,acme.com\n'],
  ])('a table with %s is read', async (what, file) => {
    const table = chosenTable({
      name: 'name',
      website: 'website',
      NAME: 'name',
      WEBSITE: 'website',
    })
    const source = sourceOf(file, what.endsWith('JSON') ? 'json' : 'csv')
    const known = await requireReading(source, {}, table)
    const rows: FileRow[] = []
    for await (const row of rowsAs(source.bytes(), known, table)) rows.push(row)
    const [only] = rows.map(({ given }) => given as Record<string, string>)
    expect(rows).toHaveLength(1)
    expect([only?.name?.trim(), only?.website?.trim()]).toEqual(['Acme', 'acme.com'])
  })

  test('a table with two columns of one title keeps both', async () => {
    expect(await given('name,name,,website\nAcme,A,1,acme.com\n')).toEqual([
      { name: 'Acme', 'name (2)': 'A', 'Column 3': '1', website: 'acme.com' },
    ])
  })

  test('a table’s names can have commas in them', async () => {
    expect(await given('name\nAcme, Inc.\nZen, Ltd.\nTea\n')).toEqual([
      { name: 'Acme, Inc.' },
      { name: 'Zen, Ltd.' },
      { name: 'Tea' },
    ])
    expect(await choices('name\nAcme, Inc.\nZen, Ltd.\n')).toEqual([
      ['none', 'name', 'Acme, Inc.', 'Zen, Ltd.'],
      [',', 'name', 'Acme · Inc.', 'Zen · Ltd.'],
    ])
  })

  test('a table with two separators needs a question', async () => {
    const file = 'Firma;Ort,Land\nAcme;Bonn,DE\nZen;Paris,FR\n'
    expect(await choices(file)).toEqual([
      [',', 'Firma;Ort · Land', 'Acme;Bonn · DE', 'Zen;Paris · FR'],
      [';', 'Firma · Ort,Land', 'Acme · Bonn,DE', 'Zen · Paris,FR'],
    ])
    expect(await given(file, 'csv', { separator: ';', titles: 1 })).toEqual([
      { Firma: 'Acme', 'Ort,Land': 'Bonn,DE' },
      { Firma: 'Zen', 'Ort,Land': 'Paris,FR' },
    ])
  })

  test('a table without titles we know needs a question, and can have none', async () => {
    const file = 'Acme;acme.com\nZen;zen.com\n'
    expect(await choices(file)).toEqual([
      [1, 'Zen · zen.com'],
      [0, 'Acme · acme.com', 'Zen · zen.com'],
    ])
    expect(await given(file, 'csv', { titles: 0 })).toEqual([
      { 'Column 1': 'Acme', 'Column 2': 'acme.com' },
      { 'Column 1': 'Zen', 'Column 2': 'zen.com' },
    ])
  })

  test('a table can be read by the order of its columns', async () => {
    const source = sourceOf('Acme;x;acme.com\nZen;y;zen.com\n', 'csv')
    const table = orderedTable(['name', undefined, 'website'])
    const known = await requireReading(source, { titles: 0 }, table)
    const rows = []
    for await (const { given } of rowsAs(source.bytes(), known, table)) rows.push(given)
    expect(rows).toEqual([ACME, ZEN])
  })

  test('a table says so if a cell is wider than its column', async () => {
    const file = `NAME    WEBSITE\n${'Acme    acme.com\n'.repeat(60)}Long and Sons zen.com\n`
    expect((await look(file)).rows?.at(-1)).toEqual({
      row: 62,
      problem: 'A cell of this row is wider than its column',
    })
  })

  test('a table that repeats its titles doesn’t make a company of them', async () => {
    expect(await given('name,website\nAcme,acme.com\nname,website\nZen,zen.com\n')).toEqual([
      ACME,
      'This row repeats the titles',
      ZEN,
    ])
  })

  test.each(['<!doctype html><table>', '<?xml version="1.0"?><Workbook>'])(
    'a table isn’t %s',
    async (file) => {
      await expect(look(file)).rejects.toThrow('This is a web page or XML')
    },
  )
})

describe('JSON', () => {
  test.each([
    ['data', '{"data":[{"name":"Acme","website":"acme.com"}]}'],
    [
      'a wrapper in a wrapper',
      '{"response":{"page":{"n":1},"items":[{"name":"Acme","website":"acme.com"}]}}',
    ],
    [
      'one list of companies',
      '{"tags":[{"label":"x"}],"firms":[{"name":"Acme","website":"acme.com"}]}',
    ],
    ['an array of arrays', '[["name","website"],["Acme","acme.com"]]'],
    ['an array a line', '["name","website"]\n["Acme","acme.com"]\n'],
    ['an object a line, with commas', '{"name":"Acme","website":"acme.com"},\n'],
    ['the ending of a table', '[{"name":"Acme","website":"acme.com"}]'],
  ])('JSON is read from %s', async (what, file) => {
    expect(await given(file, what.endsWith('table') ? 'csv' : 'json')).toEqual([ACME])
  })

  test('a JSON object can have companies by their names', async () => {
    expect(await given('{"companies":{"Acme":{"website":"acme.com"},"Zen":{}}}', 'json')).toEqual([
      { key: 'Acme', website: 'acme.com' },
      { key: 'Zen' },
    ])
  })

  test('a JSON list can have each company in an object of its own', async () => {
    const source = sourceOf(
      '{"hits":{"total":{"n":1},"hits":[{"_source":{"name":"Acme","hq":{"city":"Bonn"}}}]}}',
      'json',
    )
    const known = await requireReading(source)
    const rows = []
    for await (const row of rowsAs(source.bytes(), known)) rows.push(row)
    expect(rows).toEqual([{ row: 1, given: { name: 'Acme' } }])
    expect(
      await given('{"company":{"name":"Acme","hq":{"city":"Bonn"}}}\n{"company":{}}', 'json'),
    ).toEqual([{ 'company.name': 'Acme', 'company.hq.city': 'Bonn' }, {}])
  })

  test('a JSON file with several lists needs a question', async () => {
    const file = '{"active":[{"name":"Acme"}],"closed":[{"name":"Zen"},{"name":"Tea"}]}'
    expect(await choices(file, 'json')).toEqual([
      ['active', 'Acme'],
      ['closed', 'Zen', 'Tea'],
    ])
    expect(await given(file, 'json', { list: 'closed' })).toEqual([
      { name: 'Zen' },
      { name: 'Tea' },
    ])
    expect(await choices('{"name":"Export","firms":[{"name":"Acme"}]}', 'json')).toEqual([
      ['', 'Export'],
      ['firms', 'Acme'],
    ])
  })

  test('a JSON file can be a single company', async () => {
    const file = '{"name":"Acme","aliases":["A"],"offices":[{"city":"Bonn"}]}'
    expect(await given(file, 'json')).toMatchObject([{ name: 'Acme' }])
  })

  test('a JSON file can be a list of names', async () => {
    expect(await given('["Acme","Zen"]', 'json')).toEqual([
      { 'Column 1': 'Acme' },
      { 'Column 1': 'Zen' },
    ])
  })

  test('a JSON file of columns is refused with what to do', async () => {
    for (const file of [
      '{"name":{"0":"Acme"},"website":{"0":"acme.com"}}',
      '{"name":["Acme"],"website":["acme.com"]}',
    ])
      await expect(look(file, 'json')).rejects.toThrow('This file lists its columns one after')
  })

  test('a JSON file loses only its damaged cell', async () => {
    expect((await look('[{"name":"Acme","category":"Te\ufffd"}]', 'json')).rows).toMatchObject([
      { row: 1, given: { name: 'Acme' }, unread: { category: /lost/ } },
    ])
  })
})

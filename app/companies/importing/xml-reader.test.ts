import { expect, test } from 'vitest'
import { rowsIn } from './file-rows.server.ts'

/** Reads every element under its own name. */
const TABLE = {
  fieldOf: (title: string) => title,
  needs: [],
  howToBegin: '',
  cellMax: 10_000,
}

async function rowsOf(file: string | Buffer, size = 7) {
  const bytes = Buffer.from(file as string)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const rows = []
  for await (const row of rowsIn(pieces(), 'xml', TABLE)) rows.push(row)
  return rows
}
const jobIn = async (xml: string | Buffer, size?: number) => (await rowsOf(xml, size))[0]?.given

test('jobs have names, texts in CDATA, attributes and parts, wherever the file is cut', async () => {
  const xml = `<?xml version="1.0"?>
    <!-- <job>no</job> --><source><publisher>Shop</publisher>
    <job nr="7"><title><![CDATA[R&D <b>fitter</b>]]></title><url>https://a.example/?a=1&amp;b=2</url>
      <empty/><city>Berlin</city><city>Ulm</city>
      <place><city>Paris</city><Country>FR</Country></place></job>
    <job><title>Second</title></job></source>`
  for (const size of [1, 7, 10_000])
    expect((await rowsOf(xml, size)).map(({ given }) => given)).toEqual([
      {
        ...{ nr: '7', title: 'R&D <b>fitter</b>', url: 'https://a.example/?a=1&b=2', empty: '' },
        city: ['Berlin', 'Ulm'],
        place: { city: 'Paris', country: 'FR' },
      },
      { title: 'Second' },
    ])
})

test.each([
  ['RSS', '<rss><channel><title>no</title><item><title>yes</title></item></channel></rss>'],
  ['Atom', '<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>yes</title></entry></feed>'],
  ['a prefix', '<g:jobs><g:job><g:title>yes</g:title></g:job></g:jobs>'],
  ['a position', '<positions><position><title>yes</title></position></positions>'],
])('%s is read, too', async (_, xml) => {
  expect(await rowsOf(xml)).toEqual([{ row: 1, given: { title: 'yes' } }])
})

test('a text’s own markup is HTML', async () => {
  const xml = '<jobs><job><text>We<br/><ul><li>fit &amp; file</li></ul></text></job></jobs>'
  expect(await jobIn(xml)).toEqual({ text: 'We<br></br><ul><li>fit & file</li></ul>' })
})

test('a link can be an attribute', async () => {
  const xml = '<feed><entry><link href="https://a.example/1"/></entry></feed>'
  expect(await jobIn(xml)).toEqual({ link: 'https://a.example/1' })
})

test('a declared encoding is read, and damaged characters only fail their row', async () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><jobs><job><city>Köln</city></job></jobs>`
  expect(await jobIn(Buffer.from(xml('ISO-8859-1'), 'latin1'))).toEqual({ city: 'Köln' })
  expect(await jobIn(Buffer.from(`\ufeff${xml('utf-16')}`, 'utf16le'))).toEqual({ city: 'Köln' })
  expect(await rowsOf(Buffer.from(xml('utf-8'), 'latin1'))).toMatchObject([
    {
      problem: expect.stringContaining('characters that were lost'),
    },
  ])
})

test('a DTD’s entities mean nothing, and nothing is fetched', async () => {
  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
  )
  const xml = `<!DOCTYPE j [<!ENTITY l0 "ha"><!ENTITY f SYSTEM "file:///etc/passwd">${laughs.join('')}]>
    <jobs><job><title>&l9; &f; &#65;</title></job></jobs>`
  expect(await jobIn(xml)).toEqual({ title: '&l9; &f; A' })
})

test.each([
  ['an open element', '<jobs><job><title>a</job></jobs>', 'Row 1 isn’t valid XML'],
  ['no end', '<jobs><job><title>a</title></job>', 'The file ends in the middle of row 2'],
  ['no beginning', 'jobs', 'The file ends in the middle of row 1'],
  ['too many levels', `<jobs><job>${'<a>'.repeat(60)}`, 'Row 1 isn’t valid XML'],
  ['a web page', '<!doctype html><html><job></job></html>', 'This is a web page, not a feed'],
])('%s refuses the file', async (_, xml, sentence) => {
  await expect(rowsOf(xml)).rejects.toThrow(sentence)
})

test('an overlong row fails, and the next one continues', async () => {
  const xml = `<jobs><job><a>${'a'.repeat(300_000)}</a></job><job><a>b</a></job></jobs>`
  expect(await rowsOf(xml, 60_000)).toEqual([
    { row: 1, problem: 'This row is too long' },
    { row: 2, given: { a: 'b' } },
  ])
})

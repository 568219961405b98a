import { describe, expect, test } from 'vitest'
import {
  childrenOf,
  parseXml,
  textOf,
} from '#app/community/discussions/feeds/strict-xml.fixture.ts'
import fc from '#tests/support/fast-check.ts'
import { atomFeed, type Entry } from './feed.server.ts'

const entry = (over: Partial<Entry> = {}): Entry => ({
  id: '2f0b8c3e-0000-4000-8000-000000000001',
  title: 'Is it true?',
  link: 'https://kettle.example/thread/2f0b8c3e-0000-4000-8000-000000000001-is-it-true',
  postedAt: '2026-03-14T09:26Z',
  author: 'Sunny Teapot',
  topics: [{ slug: 'pay', name: 'Pay & benefits' }],
  html: '<p>They say <strong>nobody</strong> comes in &amp; so on.</p>',
  ...over,
})
const feed = (...entries: Entry[]) =>
  parseXml(
    atomFeed({
      title: 'Discussions – Kettle',
      self: 'https://kettle.example/feeds/discussions.atom',
      page: 'https://kettle.example/discussions?a=1&b=2',
      entries,
    }),
  )

describe('a feed', () => {
  test('a feed has what Atom requires', () => {
    const root = feed(entry({ postedAt: '2026-03-14T09:20Z' }), entry())
    expect(root).toMatchObject({
      name: 'feed',
      attributes: { xmlns: 'http://www.w3.org/2005/Atom' },
    })
    expect(textOf(root, 'id')).toBe('https://kettle.example/feeds/discussions.atom')
    expect(textOf(root, 'title')).toBe('Discussions – Kettle')
    expect(textOf(root, 'updated')).toBe('2026-03-14T09:26:00Z')
    expect(childrenOf(root, 'link').map(({ attributes }) => attributes.href)).toEqual([
      'https://kettle.example/feeds/discussions.atom',
      'https://kettle.example/discussions?a=1&b=2',
    ])
    const [first] = childrenOf(root, 'entry')
    if (!first) throw new Error('No entry')
    expect(textOf(first, 'id')).toBe('urn:uuid:2f0b8c3e-0000-4000-8000-000000000001')
    expect(textOf(first, 'updated')).toBe('2026-03-14T09:20:00Z')
    expect(childrenOf(first, 'author').map((author) => textOf(author, 'name'))).toEqual([
      'Sunny Teapot',
    ])
    expect(childrenOf(first, 'category')[0]?.attributes).toEqual({
      term: 'pay',
      label: 'Pay & benefits',
    })
    expect(textOf(first, 'content')).toBe(entry().html)
  })

  test('a feed without entries is a feed, too', () => {
    expect(textOf(feed(), 'updated')).toBe('1970-01-01T00:00:00Z')
  })

  test.each([
    [']]> <![CDATA[ <!-- & &amp; </title><script>alert(1)</script>'],
    [`"quotes" and 'others'`],
    ['café ☕ 日本 👩‍💻'],
    ['lines\nand\ttabs'],
  ])('a feed keeps the title: %s', (title) => {
    const [only] = childrenOf(feed(entry({ title, author: title, html: title })), 'entry')
    if (!only) throw new Error('No entry')
    expect(textOf(only, 'title')).toBe(title)
    expect(textOf(only, 'content')).toBe(title)
  })

  test('a feed leaves out what XML can’t hold', () => {
    const title = 'a\u0000b\u0008c\u001bd\ufffee\uffff' + '\ud800f\udc00g'
    const [only] = childrenOf(feed(entry({ title })), 'entry')
    expect(only && textOf(only, 'title')).toBe('abcdefg')
  })

  test('a feed is well-formed, whatever people write', () => {
    const text = fc.string({ unit: 'binary', maxLength: 60 })
    fc.assert(
      fc.property(text, text, text, (title, author, html) => {
        const topics = [{ slug: title, name: author }]
        const root = feed(entry({ title, author, html, link: title, topics }))
        expect(childrenOf(root, 'entry')).toHaveLength(1)
      }),
    )
  })
})

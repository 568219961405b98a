import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cleanText, EXCERPT_MAX, excerptOf } from './text.ts'

describe('clean text', () => {
  test.each([
    ['has one kind of line end', 'a\r\nb\rc\u2028d\u0085e', 'a\nb\nc\nd\ne'],
    ['has composed letters', 'cafe\u0301', 'café'],
    [
      'has no control characters, but keeps lines and tabs',
      'a\u0000\u0007\u001b[0m\n\tb\u007f\u009f',
      'a[0m\n\tb',
    ],
    ['cannot be turned around', 'a\u202egpj.exe\u202c \u2066b\u2069', 'agpj.exe b'],
    [
      'has no watermark',
      'se\u200bcr\u2060et\ufeff s\u00adalary\u{e0041}\u{e0042}',
      'secret salary',
    ],
    ['has no joiner that joins nothing', 'a\u200db \u200cc\u200d', 'ab c'],
    [
      'keeps the joiners of emoji',
      '👩\u200d💻 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥',
      '👩\u200d💻 👩🏽\u200d🚀 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥',
    ],
    ['keeps the joiners of Persian and Hindi', 'می\u200cخواهم क्\u200dष', 'می\u200cخواهم क्\u200dष'],
    [
      'keeps the flag of Scotland',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
    ['has no half characters', 'a\ud83db\udc00', 'ab'],
    ['has no space at its end', '  a  \n b \n\n \t', '  a  \n b'],
    ['keeps right-to-left words', 'שלום \u200fabc', 'שלום \u200fabc'],
  ])('%s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  test('stays as it is when it is cleaned again', () => {
    const strange = fc.constantFrom(
      'a',
      'é',
      'e\u0301',
      '\u200d',
      '\u200c',
      '👩',
      '💻',
      'ش',
      '\r',
      '\n',
      ' ',
      '\u0000',
      '\u202e',
      '\ufe0f',
      '\u{e0041}',
      '🏴',
      '\u{e007f}',
      '\ud83d',
    )
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: strange }), fc.string({ unit: 'binary' })), (text) => {
        const clean = cleanText(text)
        expect(cleanText(clean)).toBe(clean)
        expect(clean).not.toMatch(/(?!\n|\t)\p{Cc}|[\u200b\u202a-\u202e\u2066-\u2069\ufeff]/u)
      }),
      { numRuns: 2_000 },
    )
  })

  test.each(['\u200d', '\u0301', 'e\u0301\u0323', '\r\n', ' ', '🏴', '\u{e0067}'])(
    'takes moments to make of 20,000 × %j',
    (part) => {
      const before = process.cpuUsage()
      cleanText(`a${part.repeat(20_000)}b`)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
    },
  )
})

describe('an excerpt', () => {
  test.each([
    ['Plain words.', 'Plain words.'],
    ['# Pay\n\nIt is **low** and _late_.', 'Pay It is low and late.'],
    ['> quoted\n> twice\n\nanswer', 'quoted twice answer'],
    ['- one\n- two\n  1. three', 'one two three'],
    ['see [the study](https://a.example/b_(c) "t") now', 'see the study now'],
    ['![a chart](https://a.example/c.png)', 'a chart'],
    ['[![chart](https://a.example/c.png)](https://a.example)', 'chart'],
    ['<https://a.example> and https://b.example', 'https://a.example and https://b.example'],
    ['[a][1] b\n\n[1]: https://a.example', 'a b'],
    ['```js\nlet snake_case = 1\n```\nafter', 'let snake_case = 1 after'],
    ['| a | b |\n|---|:-:|\n| 1 | 2 |', 'a b 1 2'],
    ['a\n\n---\n\nb ~~c~~ `d`', 'a b c d'],
    ['2 * 3 is 6, \\*not\\* bold, snake_case_name', '2 * 3 is 6, *not* bold, snake_case_name'],
    ['<b>x</b> & "y"', '<b>x</b> & "y"'],
    ['', ''],
    ['---', ''],
  ])('of %j is %j', (text, excerpt) => {
    expect(excerptOf(text)).toBe(excerpt)
  })

  test('is cut after a word', () => {
    expect(excerptOf('one two three four', 12)).toBe('one two…')
    expect(excerptOf('one two, three four', 9)).toBe('one two…')
    expect(excerptOf('one two three', 13)).toBe('one two three')
    expect(excerptOf('a'.repeat(300))).toBe(`${'a'.repeat(EXCERPT_MAX - 1)}…`)
  })

  test('cuts no emoji in two', () => {
    expect(excerptOf('😀'.repeat(10), 8)).toBe('😀😀😀…')
  })

  test('says that there is more, also when the beginning holds little text', () => {
    expect(excerptOf(`short\n${'\n'.repeat(5_000)}more`)).toBe('short…')
  })

  test('is one line within its length, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 600 }), (text) => {
        const excerpt = excerptOf(text, 50)
        expect(excerpt.length).toBeLessThanOrEqual(50)
        expect(excerpt).not.toMatch(/\n/)
      }),
    )
  })

  test.each([
    '[',
    '[a](',
    '[a]((',
    '![',
    '<http://',
    '\\',
    '_a',
    '* ',
    '> ',
    '| -',
    '- ',
    '`',
    ' #',
    '\uf000',
  ])('takes moments to make of 20,000 characters of %j', (part) => {
    const before = process.cpuUsage()
    excerptOf(part.repeat(20_000 / part.length))
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
  })
})

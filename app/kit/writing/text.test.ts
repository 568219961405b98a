import { describe, expect, test } from 'vitest'
import fc from '#tests/support/fast-check.ts'
import { cleanText, cutText, firstLetter, foldText, isBlank, slugOf } from './text.ts'

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
    ...[
      'അവന്\u200d വന്നു. അവൾ, അവന്\u200d.',
      'হঠাত্\u200d, র\u200d্যাব',
      '۱۴۰۴ ه\u200d. ش.',
      'ක්\u200dෂ',
      'ᠮᠣᠩᠭᠣᠯ\u200d',
    ].map((text) => ['keeps the joiners at the ends of words', text, text]),
    [
      'has no joiner of scripts without any',
      'あ\u200dい 가\u200c나 א\u200dב ก\u200cข',
      'あい 가나 אב กข',
    ],
    ['has no more than one joiner in one place', 'می\u200c\u200d\u200cخواهم', 'می\u200cخواهم'],
    [
      'keeps the flag of Scotland',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
    ['has no half characters', 'a\ud83db\udc00', 'ab'],
    ['has no space at its end', '  a  \n b \n\n \t', '  a  \n b'],
    ['keeps right-to-left words', 'שלום \u200fabc', 'שלום \u200fabc'],
  ])('clean text %s', (_, text, clean) => {
    expect(cleanText(text)).toBe(clean)
  })

  test.each([
    '',
    ' \n\t ',
    '\u00a0\u3000\u2003',
    '\u3164',
    '\uffa0 \u115f\u1160',
    '\u2800\u2800',
    '\u200b\u200d\ufeff\u00ad',
    '\u200f\u061c\u202e',
    '\ufe0f\u034f\u17b4',
    '\u0000\u0007\ud83d',
    '\u{e0041}\u{1d159}\ufff9',
  ])('clean text is empty if %j shows nothing', (text) => {
    expect(isBlank(text)).toBe(true)
    expect(cleanText(text)).toBe('')
    expect(isBlank(`${text}.`)).toBe(false)
  })

  test('clean text stays the same when it’s cleaned again', () => {
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
    'clean text of 20,000 × %j takes moments',
    (part) => {
      const before = process.cpuUsage()
      cleanText(`a${part.repeat(20_000)}b`)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
    },
  )
})

describe('a cut text', () => {
  const flags = '🇩🇪'.repeat(4)
  test.each([
    ['short', 10, 'short'],
    ['ten letter', 10, 'ten letter'],
    ['one more letter', 5, 'one m'],
    ['ab𠮷 wages', 3, 'ab'],
    ['ab𠮷 wages', 4, 'ab𠮷'],
    [flags, 7, '🇩🇪'],
    [flags, 8, '🇩🇪🇩🇪'],
    ['👩\u200d💻👩\u200d💻', 9, '👩\u200d💻'],
    ['👍🏽👍🏽', 6, '👍🏽'],
    ['cafe\u0301s', 4, 'caf'],
    ['각각'.normalize('NFD'), 5, '각'.normalize('NFD')],
    ['क्षिक्षि', 6, 'क्षि'],
    ['กำกำ', 3, 'กำ'],
    ['a\r\nb', 2, 'a'],
    [
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}!',
      14,
      '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
    ],
  ])('%j cut at %i is %j', (text, max, cut) => {
    expect(cutText(text, max)).toBe(cut)
  })

  test('cut text keeps nothing of a character that doesn’t fit, but some of a pile of marks', () => {
    expect(cutText('🇩🇪', 3)).toBe('')
    expect(cutText(`a${'\u0301'.repeat(200)}`, 10)).toBe('')
    expect(cutText(`a${'\u0301'.repeat(200)}`, 100)).toBe(`a${'\u0301'.repeat(99)}`)
    expect(cutText(`𠮷${'\u{1d165}'.repeat(200)}`, 101)).toBe(`𠮷${'\u{1d165}'.repeat(49)}`)
  })

  test('cut text never exceeds its length, and ends where a character ends', () => {
    const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
    const letters = [
      'a',
      ' ',
      '𠮷',
      '🇩🇪',
      '👩\u200d💻',
      'e\u0301\u0323',
      'ก็',
      'क्ष',
      '\u202e',
      '👍🏽',
      '각',
    ]
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...letters), { maxLength: 30 }), (parts) => {
        const text = parts.join('')
        const ends = new Set(
          [...segmenter.segment(text)].map(({ index }) => index).concat(text.length),
        )
        for (let max = 8; max <= text.length; max++) {
          const cut = cutText(text, max)
          expect(text.startsWith(cut)).toBe(true)
          expect(cut.length).toBeLessThanOrEqual(max)
          expect(ends).toContain(cut.length)
        }
      }),
      { numRuns: 300 },
    )
  })

  test.each(['🇩🇪', '\u0301', '👩\u200d', 'a', '\ud83d'])(
    'cut text of 200,000 × %j takes moments',
    (part) => {
      const text = part.repeat(200_000)
      const before = process.cpuUsage()
      for (let max = 1; max < 200_000; max += 60_000) cutText(text, max)
      expect(process.cpuUsage(before).user / 1000).toBeLessThan(1_000)
    },
  )

  test('cut text begins with what reads as one character', () => {
    for (const letter of ['d', '𠮷', '🇩🇪', '👩\u200d💻', 'ก็', 'हि', 'e\u0301'])
      expect(firstLetter(`${letter}ana`)).toBe(letter)
    expect(firstLetter('')).toBe('')
  })
})

describe('a slug', () => {
  test.each([
    ['Acme', 'acme'],
    ['  AT&T  ', 'at-t'],
    ['7-Eleven', '7-eleven'],
    ['H&M', 'h-m'],
    ['Booking.com', 'booking-com'],
    ['Brine & Lantern Ferries', 'brine-lantern-ferries'],
    ['--Zed--', 'zed'],
    ['!!!', ''],
    // What only ASCII can be typed everywhere.
    ["L'Oréal", 'l-oreal'],
    ['Lương ở Việt Nam', 'luong-o-viet-nam'],
    ['İstanbul Ağ', 'istanbul-ag'],
    ['e\u0301'.repeat(3) + '\u0301'.repeat(200), 'eee'],
    // Each of these marks is a part of its letter.
    ['日本郵政', '日本郵政'],
    ['パスワードの変更', 'パスワードの変更'],
    ['が'.normalize('NFD'), 'が'],
    ['연봉 이야기', '연봉-이야기'],
    ['연봉'.normalize('NFD'), '연봉'],
    ['हिन्दी में वेतन', 'हिन्दी-में-वेतन'],
    ['เงินเดือน', 'เงินเดือน'],
    ['বেতন কত?', 'বেতন-কত'],
    ['சம்பளம்', 'சம்பளம்'],
    ['ជំរាបសួរ', 'ជំរាបសួរ'],
    ['Зарплата ещё й ї', 'зарплата-ещё-й-ї'],
    ['Μισθός', 'μισθός'],
    ['آجر', 'آجر'],
    // A joiner is no letter, and no emoji's color is a mark of the word before it.
    ['क्\u200dष', 'क्ष'],
    ['Pay ❤️ 1️⃣ day', 'pay-1-day'],
    ['\u0301\u0e34 x', 'x'],
    ['../..', ''],
    ['a\ud83d/%2e', 'a-2e'],
  ])('Spec §2.1: the slug of %j is %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug)
  })

  test('a slug is its own slug, so an address can be looked up by it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (name) => {
        expect(slugOf(slugOf(name))).toBe(slugOf(name))
      }),
    )
  })
})

test('text is folded the same, however it was typed', () => {
  expect(foldText('NESTLÉ')).toBe('nestle')
  expect(foldText('Nestlé')).toBe(foldText('Nestle\u0301'))
  expect(foldText('Ελλάδα')).toBe('ελλαδα')
})

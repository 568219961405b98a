import { expect, test } from 'vitest'
import { createWatch, WATCH_PROBLEMS, type WatchedEntry, watchKey } from './watch.ts'

const watchFor = (...entries: string[]) =>
  createWatch(
    entries.map((entry): WatchedEntry => {
      const key = watchKey(entry)
      if ('problem' in key) throw new Error(key.problem)
      return { entry, ...key }
    }),
  )

test('watched words match whole words, folded as in a search', () => {
  const look = watchFor('Café', 'free money')
  expect(look('Meet me at the CAFE, please')).toEqual(['Café'])
  expect(look('Free -- MONEY!')).toEqual(['free money'])
  expect(look('cafes and carefree moneyed people; money free')).toEqual([])
})

test('a watched domain matches links, plain text and subdomains, but not part of another name', () => {
  const look = watchFor('https://www.spam.example/offer?now', 'bücher.example')
  expect(look('see [this](https://Shop.SPAM.example/x).')).toEqual([
    'https://www.spam.example/offer?now',
  ])
  expect(look('spam.example.')).toHaveLength(1)
  expect(look('mail me@spam.example')).toHaveLength(1)
  expect(look('BÜCHER.example or xn--bcher-kva.example')).toEqual(['bücher.example'])
  expect(look('notspam.example, spam.example.org, spam example')).toEqual([])
})

test('an invalid entry is refused with a sentence', () => {
  expect(watchKey(' … ')).toEqual({ problem: 'Please enter a word, a phrase or a domain' })
  expect(watchKey('a b c d e f g h i')).toEqual({ problem: 'A phrase can have at most 8 words' })
  for (const letter of ['a', ' Å. ', '5', '«я»', '𝐚', 'ß', '½'])
    expect([letter, watchKey(letter)]).toEqual([letter, { problem: WATCH_PROBLEMS.letter }])
  // We never run anyone's pattern. It's just words.
  expect(watchKey('(ab+)+$')).toEqual({ folded: 'ab', isDomain: false })
})

test('each matching entry is listed once', () => {
  expect(watchFor('spam', 'spam.example')('spam spam spam.example')).toEqual([
    'spam',
    'spam.example',
  ])
})

test('twice the text takes at most twice the lookups, whatever it says', () => {
  const look = watchFor('aa aa aa aa aa aa aa ab', 'x.example')
  const counted = (text: string) => {
    let lookups = 0
    const get = Map.prototype.get
    Map.prototype.get = function (key) {
      lookups += 1
      return get.call(this, key)
    }
    try {
      look(text)
    } finally {
      Map.prototype.get = get
    }
    return lookups
  }
  for (const text of ['aa '.repeat(2_000), `${'a.'.repeat(2_000)}a `, 'x.example '.repeat(500)])
    expect(counted(text + text)).toBeLessThanOrEqual(2 * counted(text) + 8)
})

/**
 * What reads a text that anybody may send takes time in proportion to it, also where it goes through the text by
 * hand. Each meets what is known to be hostile to some reader: long runs, half of a pair, what nests.
 */
import { expect, test } from 'vitest'
import { tidySubject } from '../app/features/accounts/administrators/admin-action.ts'
import { readWords } from '../app/features/accounts/visitor/visitor-words.data.ts'
import { iconsIn } from '../app/features/companies/logos/logo-site.server.ts'
import { keysOf, keysOfText } from '../app/features/companies/search/company-keys.ts'
import { matchOf, piecesAround } from '../app/features/companies/search/company-match.ts'
import { searchWords } from '../app/features/contact/contact.ts'
import { addressesIn } from '../app/features/contact/linked-posts.server.ts'
import { titleTail } from '../app/features/discussions/discussion.ts'
import { textOfHtml } from '../app/features/findability/post-text.server.ts'
import { coreOf } from '../app/features/importing/company-matching.ts'
import { createCsvReader } from '../app/features/importing/csv-reader.server.ts'
import { guessColumns, titlesSentence } from '../app/features/importing/import-columns.ts'
import { checkedCompany } from '../app/features/importing/imported-company.ts'
import { createJsonReader } from '../app/features/importing/json-reader.server.ts'
import { readJob } from '../app/features/jobs/import/job-import.server.ts'
import { createWatch, watchKey } from '../app/features/moderation/watch.ts'
import { namesIn } from '../app/features/notifications/mentions.server.ts'
import { firstSentence } from '../app/features/scraping/first-sentence.ts'
import { symbolsIn } from '../app/features/scraping/market-movers-page.server.ts'
import { companiesIn } from '../app/features/scraping/results-text.ts'
import { factsIn } from '../app/features/scraping/symbol-page.server.ts'
import { excerptOf } from '../app/writing/excerpt.server.ts'
import { leaksIn } from '../app/writing/leak-guard.ts'
import { markdownHtml } from '../app/writing/markdown.ts'
import { quoteOf } from '../app/writing/quote.ts'
import { cleanText, foldText, oneLine, slugOf } from '../app/writing/text.ts'
import { costlyAttack } from './support/attacks.ts'

const PAGE = 'https://markets.example/'
const look = createWatch(
  ['a', 'a b', 'a a a a a a a a', 'spam.example']
    .map((entry) => ({ entry, key: watchKey(entry) }))
    .flatMap(({ entry, key }) => ('problem' in key ? [] : [{ entry, ...key }])),
)

/** Refusing a text is an answer, too. */
const READERS: Record<string, (text: string) => unknown> = {
  cleanText,
  oneLine,
  excerptOf,
  foldText,
  markdownHtml,
  quoteOf,
  leaksIn: (text) =>
    leaksIn(text, { username: 'Ab Cd', mailbox: 'a.b.cde.f', isAmongColleagues: true }),
  'the watch list': look,
  watchKey,
  namesIn,
  titleTail,
  slugOf,
  textOfHtml,
  addressesIn: (text) => addressesIn(text, 'https://kettle.example'),
  searchWords,
  keysOfText,
  keysOf: (name) => keysOf({ name, aliases: [name], category: name }),
  piecesAround: (text) => piecesAround(text, ['aaaa', 'spamexample']),
  matchOf: (description) =>
    matchOf({ name: 'x', aliases: [], description }, { by: 'description', key: 'a' }, 'a b c d'),
  tidySubject,
  readWords,
  coreOf,
  guessColumns: (text) => guessColumns([{ title: text, samples: [text] }]),
  titlesSentence: (text) => titlesSentence([text, text], 'name'),
  'a row of a file': (text) =>
    checkedCompany({ name: 'x', description: text, website: text, logo_url: text, aliases: text }),
  'a size, a year, a country': (text) =>
    checkedCompany({ name: 'x', size: text, founded: text, country: text, ticker: text }),
  'a job of a feed': (text) =>
    readJob(
      { company: text, description: text, city: text, tags: text, salary_min: text },
      '2026-01-01',
    ),
  'a CSV file': (text) => {
    const reader = createCsvReader(',')
    reader.read(text)
    reader.end()
  },
  'a JSON file': (text) => createJsonReader().read(text),
  'a JSON file of a long row': (text) => createJsonReader().read(`[{"a":"${text}`),
  companiesIn,
  firstSentence: (text) => firstSentence(text, 200),
  factsIn: (html) => factsIn(html, PAGE),
  symbolsIn: (html) => symbolsIn(html, PAGE),
  iconsIn: (html) => iconsIn(html, PAGE),
}

const PUMPS = [
  ...[
    'a',
    ' ',
    '\t',
    '\n',
    '\n\n',
    ' \n',
    '-',
    '_',
    ' _',
    '_a',
    '.',
    ',',
    '1',
    '1.',
    '/',
    '//',
    '\\',
    "'",
    '"',
    '""',
  ],
  ...[
    '*',
    '**a',
    '*a ',
    '~~',
    '~~~',
    '`',
    '``a',
    '>',
    '> > ',
    '>a\n',
    '|',
    '|-',
    '| a ',
    '\t-|',
    '# ',
    '- a\n',
    '  - a\n',
  ],
  ...[
    '[',
    '](',
    '[](',
    '[](a)',
    '[a](b',
    '![',
    '[a]: b\n',
    '[][',
    '<',
    '<a',
    '<hr',
    '<b>',
    '<!--',
    '</',
    '<a href="',
    '&',
    '&#',
    '&lt;',
  ],
  ...[
    '@',
    '@a',
    '@a.',
    'a@',
    'a@b',
    'a.b.',
    'a-',
    '-.',
    'www.',
    'http://',
    'https://a.',
    'spam.example ',
    'kettle.example/',
  ],
  ...[
    'a b ',
    'a a a a a a a ',
    'co ',
    ' the',
    '(the)',
    'St. ',
    'Dr. Aa ',
    'my a-a ',
    'only a ',
    'on the 1st ',
    'anon-',
    '+1 (2) ',
    '1-1-',
  ],
  ...[
    '{',
    '}',
    '[[',
    '{"a":',
    '{"a":1},',
    '","',
    ';',
    '\r',
    '\0',
    '%',
    '%20',
    'é',
    'e\u0301',
    '\u0301',
    '\ufdfa',
    'a\u200d',
    '中',
    '中.',
    '😀',
    '\ud83d',
  ],
]
const AROUND = [
  ['', ''],
  ['', '\0'],
  ['a', 'a'],
  [`${' '.repeat(1_000)}a`, '\n!'],
] as const

/** Ten would be in proportion; a busy machine has its moods. */
const GROWTH_MAX = 30

test.each(Object.entries(READERS))('%s takes no longer than in proportion', (_, read) => {
  const attacks = PUMPS.flatMap((pump) =>
    AROUND.map(([prefix, suffix]) => ({ prefix, pump, suffix })),
  )
  const quietly = (text: string) => {
    try {
      read(text)
    } catch {}
  }
  expect(costlyAttack(attacks, quietly, GROWTH_MAX)).toBeUndefined()
})

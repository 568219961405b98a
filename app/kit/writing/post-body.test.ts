/** Quoting a passage above an answer. */
import { expect, test } from 'vitest'
import { markdownHtml } from './markdown.ts'
import { quoteOf, withQuote } from './post-body.tsx'

test('each line stands behind a mark, and there is room for the answer below', () => {
  expect(quoteOf('Nobody comes in.')).toBe('> Nobody comes in.\n\n')
  expect(quoteOf('  One\r\nTwo\n\n\n\nThree \n')).toBe('> One\n> Two\n>\n> Three\n\n')
})

test('it goes behind what was written already', () => {
  expect(withQuote(' \n', 'Why?')).toBe('> Why?\n\n')
  expect(withQuote('So far.\n', 'Why?')).toBe('So far.\n\n> Why?\n\n')
})

test('what is written below it is no part of it', () => {
  const html = markdownHtml(`${withQuote('', 'One\n\nTwo')}Three`)
  expect(html.replace(/\n/g, '')).toBe('<blockquote><p>One</p><p>Two</p></blockquote><p>Three</p>')
})

/** Quoting a passage above an answer. */
import { expect, test } from 'vitest'
import { markdownHtml } from './markdown.ts'
import { quoteOf, withQuote } from './post-body.tsx'

test('each quoted line has its mark, with room for the answer below', () => {
  expect(quoteOf('Nobody comes in.')).toBe('> Nobody comes in.\n\n')
  expect(quoteOf('  One\r\nTwo\n\n\n\nThree \n')).toBe('> One\n> Two\n>\n> Three\n\n')
})

test('a quote goes after what’s already written', () => {
  expect(withQuote(' \n', 'Why?')).toBe('> Why?\n\n')
  expect(withQuote('So far.\n', 'Why?')).toBe('So far.\n\n> Why?\n\n')
})

test('text below a quote isn’t part of it', () => {
  const html = markdownHtml(`${withQuote('', 'One\n\nTwo')}Three`)
  expect(html.replace(/\n/g, '')).toBe('<blockquote><p>One</p><p>Two</p></blockquote><p>Three</p>')
})

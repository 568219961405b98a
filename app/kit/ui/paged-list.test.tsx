import type { ComponentProps } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { MoreButton } from './paged-list.tsx'

const WAITING = {
  hasNextPage: true,
  isFetchingNextPage: false,
  isFetchNextPageError: false,
  fetchNextPage: () => {},
}

type Props = Partial<ComponentProps<typeof MoreButton>>
const htmlOf = (list: Partial<typeof WAITING>, props: Props = {}) =>
  renderToStaticMarkup(<MoreButton list={{ ...WAITING, ...list }} {...props} />)
const textOf = (html: string) => html.replace(/<[^>]+>/g, '')

test('a complete list has no button', () => {
  expect(htmlOf({ hasNextPage: false })).toBe('')
})

test('the button says what it does, even after a page that couldn’t load', () => {
  expect(textOf(htmlOf({}))).toBe('Show more')
  expect(textOf(htmlOf({}, { label: 'Load more comments' }))).toBe('Load more comments')
  expect(textOf(htmlOf({ isFetchNextPageError: true }))).toBe('Couldn’t load more. Try again')
})

test('the button is disabled and says so while a page loads', () => {
  const html = htmlOf({ isFetchingNextPage: true })
  expect(html).toContain('disabled=""')
  expect(html).toContain('aria-busy="true"')
  expect(textOf(html)).toBe('Fetching...')
  expect(textOf(htmlOf({ isFetchingNextPage: true }, { busyLabel: '' }))).toBe('Show more')
})

test('a list with an address has a link, which readers without JavaScript know as "Next"', () => {
  const html = htmlOf({}, { href: '/discussions?after=x', label: 'Load more' })
  expect(html).toContain('href="/discussions?after=x"')
  expect(html).toContain('rel="next nofollow"')
  expect(html).toMatch(/js:hidden">Next</)
  expect(html).toMatch(/no-js:hidden">Load more</)
  expect(htmlOf({})).toMatch(/<button[^>]*no-js:hidden/)
})

test('the list has a place for the news that it’s complete before there is any', () => {
  expect(htmlOf({})).toContain('<p role="status" class="sr-only"></p>')
})

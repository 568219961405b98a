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

test('a list that is all here has no button', () => {
  expect(htmlOf({ hasNextPage: false })).toBe('')
})

test('it names what it does, also after a page that could not be loaded', () => {
  expect(textOf(htmlOf({}))).toBe('Show more')
  expect(textOf(htmlOf({}, { label: 'Load more comments' }))).toBe('Load more comments')
  expect(textOf(htmlOf({ isFetchNextPageError: true }))).toBe('Couldn’t load more. Try again')
})

test('while a page is on its way it cannot be pressed, and says so', () => {
  const html = htmlOf({ isFetchingNextPage: true })
  expect(html).toContain('disabled=""')
  expect(html).toContain('aria-busy="true"')
  expect(textOf(html)).toBe('Fetching...')
  expect(textOf(htmlOf({ isFetchingNextPage: true }, { busyLabel: '' }))).toBe('Show more')
})

test('with an address it is a link, which readers without JavaScript know as "Next"', () => {
  const html = htmlOf({}, { href: '/discussions?after=x', label: 'Load more' })
  expect(html).toContain('href="/discussions?after=x"')
  expect(html).toContain('rel="next nofollow"')
  expect(html).toMatch(/js:hidden">Next</)
  expect(html).toMatch(/no-js:hidden">Load more</)
  expect(htmlOf({})).toMatch(/<button[^>]*no-js:hidden/)
})

test('there is a place for the news that this was all, before there is news', () => {
  expect(htmlOf({})).toContain('<p role="status" class="sr-only"></p>')
})

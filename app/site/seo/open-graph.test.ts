import { createElement, Fragment } from 'react'
import { renderToString } from 'react-dom/server'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { feedLink, openGraph, readHead, SHARE_PICTURE } from './machine-readable.server.ts'

const site = { siteName: 'Salt & "Pepper"', siteUrl: 'https://kettle.example' }
const hostile = `</title><script>alert("1 & 'one'")</script>`

/** What React writes at the start of a page with these in its head. */
const markupOf = (
  title: string,
  description: string,
  ...more: ReturnType<typeof createElement>[]
) =>
  renderToString(
    createElement(
      Fragment,
      {},
      createElement('title', {}, title),
      createElement('meta', { name: 'description', content: description }),
      ...more,
      createElement('p', {}, 'text'),
    ),
  )

test('a head is read as React writes it, to the letter', () => {
  const markup = markupOf(
    hostile,
    hostile,
    createElement('link', { rel: 'canonical', href: 'https://kettle.example/?a=1&b="2"' }),
  )
  expect(readHead(markup)).toEqual({
    title: hostile,
    description: hostile,
    canonical: 'https://kettle.example/?a=1&b="2"',
    isListed: true,
    hasFeed: false,
  })
})

test.each(['noindex', 'noindex, follow'])('"%s" is a wish not to be listed', (content) => {
  expect(readHead(markupOf('', '', createElement('meta', { name: 'robots', content })))).toEqual({
    title: '',
    description: '',
    canonical: undefined,
    isListed: false,
    hasFeed: false,
  })
})

test('a shared address shows the title without the site’s name, which is told apart', () => {
  const head = readHead(markupOf(`A thread – ${site.siteName}`, 'What it says'))
  const tags = openGraph(head, { site, path: '/a', type: 'article' }).join('')
  expect(tags).toContain('<meta property="og:title" content="A thread">')
  expect(tags).toContain('content="Salt &amp; &quot;Pepper&quot;"')
  expect(tags).toContain('<meta property="og:url" content="https://kettle.example/a">')
})

test('nothing that somebody wrote ends an attribute', () => {
  const head = readHead(markupOf(hostile, hostile))
  const tags = [
    ...openGraph(head, { site, path: '/"><script>', type: 'website' }),
    feedLink(hostile, '/feeds/"><script>.atom'),
  ]
  for (const tag of tags) {
    expect(tag).toMatch(/^<[^<>]*>$/)
    expect(tag.split('"').length - 1).toBe((tag.split('="').length - 1) * 2)
  }
})

test('the shared picture is there, as large as it is said to be, and light', async () => {
  const picture = sharp(`app/kit/ui/public${SHARE_PICTURE.path}`)
  const { width, height, format } = await picture.metadata()
  expect({ width, height, format }).toEqual({ width: 1200, height: 630, format: 'png' })
  expect((await picture.toBuffer()).length).toBeLessThan(300_000)
})

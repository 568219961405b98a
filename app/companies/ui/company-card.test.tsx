import { renderToString } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import type { CompanyView } from '../company.contract.ts'
import { CompanyLogo } from '../logos/ui/company-logo.tsx'
import { CompanyCard } from './company-card.tsx'

const acme: CompanyView = {
  id: '00000000-0000-4000-8000-000000000001',
  slug: 'acme-teapots',
  name: 'Acme Teapots',
  category: 'Tea',
  description: 'They make teapots.',
  logoUrl: '/logos/x.webp',
  demo: false,
  rating: 4.25,
  threadCount: 1234,
  commentCount: 1,
  recentCommentCount: 0,
  trending: true,
}
const card = (over: Partial<CompanyView> = {}, variant?: 'card' | 'list') =>
  rendered(<CompanyCard company={{ ...acme, ...over }} variant={variant} />)

describe('Spec §2.6: the company card', () => {
  test('a card links to the slug, or to the id without one', () => {
    expect(card()).toContain('href="/acme-teapots"')
    expect(card({ slug: null })).toContain(`href="/company/${acme.id}"`)
  })

  test('a card shows the name in at most two lines, and all of it in a tooltip', () => {
    expect(card()).toMatch(
      /<a [^>]*data-tooltip="Acme Teapots"[^>]*line-clamp-2[^>]*>Acme Teapots<\/a>/,
    )
  })

  test('a card shows category, discussions, comments and the rating with its star', () => {
    const html = card()
    for (const shown of ['>Tea<', '>1.2K<', '>1.2K discussions<', '>1 comment<', '>4.3<'])
      expect(html).toContain(shown)
    expect(card({ rating: null })).toContain('>--<')
  })

  test('a card without ratings and posts invites people to be the first, beside the "--"', () => {
    const blank = { rating: null, threadCount: 0, commentCount: 0 }
    expect(card(blank)).toContain('>Be the first to rate<')
    expect(card(blank)).toContain('>--<')
    for (const said of [{ rating: 3 }, { threadCount: 1 }, { commentCount: 1 }])
      expect(card({ ...blank, ...said })).not.toContain('Be the first')
  })

  test('a card in a list has the badge "Trending", and the description, which phones hide', () => {
    expect(card()).not.toMatch(/Trending|They make teapots/)
    const html = card({}, 'list')
    expect(html).toContain('Trending')
    expect(html).toMatch(/<p dir="auto" class="[^"]*max-md:hidden[^"]*">They make teapots\.<\/p>/)
    expect(card({ trending: false }, 'list')).not.toContain('Trending')
  })

  test('a card has no view count', () => {
    expect(card({}, 'list')).not.toMatch(/views?</)
  })

  test('a card shows the logo, or the initials without one (S19)', () => {
    expect(card()).toContain('src="/logos/x.webp"')
    expect(renderToString(<CompanyLogo name="Acme Teapots" logoUrl={null} />)).toContain('>AT<')
  })
})

interface SitePage {
  href: string
  name: string
  /** The page's name in the footer on mobile. Spec §2.9. */
  short: string
}

export const SITE_PAGES: readonly SitePage[] = [
  { href: '/about', name: 'About Us', short: 'About' },
  { href: '/community-rules', name: 'Community rules', short: 'Rules' },
  { href: '/how-moderation-decides', name: 'How moderation decides', short: 'Moderation' },
  { href: '/anonymity', name: 'How we keep you anonymous', short: 'Anonymity' },
  { href: '/privacy', name: 'Privacy Policy', short: 'Privacy' },
  { href: '/terms', name: 'Terms of Service', short: 'Terms' },
]

/** What administrators can change while the site runs. Read one when you need it, and don't keep it. */
export interface LiveSettings {
  siteName: string
  /** Undefined for ours, as are the next two. */
  heroSentence?: string | undefined
  /** Below the hero sentence. */
  welcomeText?: string | undefined
  /** The home page's toast. Empty for none. */
  greeting?: string | undefined
  footerLinks: FooterLink[]
  /** Null if there's no such address, as for the next three. */
  privacyEmail: string | null
  legalEmail: string | null
  pressEmail: string | null
  /** Where replies to our answers go. */
  contactEmail: string | null
}

export interface FooterLink {
  name: string
  href: string
}

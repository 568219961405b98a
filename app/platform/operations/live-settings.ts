/** What administrators can change while the site runs. Read one when you need it, and don't keep it. */
export interface LiveSettings {
  siteName: string
  /** Such as #9a4d0c. Undefined for ours, as are the next five. */
  accent?: string | undefined
  logo?: SiteLogo | undefined
  /** The path of the picture that appears with shared links. */
  sharePicture?: string | undefined
  heroSentence?: string | undefined
  /** Below the hero sentence. */
  welcomeText?: string | undefined
  /** The home page's toast. Empty for none. */
  greeting?: string | undefined
  footerLinks: FooterLink[]
  /** Null if there's none, as for the next four. */
  privacyEmail: string | null
  legalEmail: string | null
  pressEmail: string | null
  /** Where replies to our answers go. */
  contactEmail: string | null
  /** The name and address of who runs the site. */
  operator: string | null
  signUpMode: SignUpRule['mode']
  /** How many colleagues need a badge before it shows, and before their room opens. */
  badgeHoldersMin: number
  roomHoldersMin: number
  /** How many people's ratings of a company are published together. */
  ratingBatch: number
  /** Whose addresses may sign up, in the mode `domains`. */
  signUpDomains: string[]
}

/** The least that administrators can set, because they protect people in small groups. */
export const THRESHOLDS: Pick<LiveSettings, 'badgeHoldersMin' | 'roomHoldersMin' | 'ratingBatch'> =
  { badgeHoldersMin: 10, roomHoldersMin: 30, ratingBatch: 5 }

export const SIGN_UP_MODES = ['open', 'domains', 'invitation', 'closed'] as const

/** Who may sign up: an invitation is enough in two of the modes. */
export interface SignUpRule {
  mode: (typeof SIGN_UP_MODES)[number]
  domains: readonly string[]
}

/** A picture that stands for the site. */
export interface SiteLogo {
  path: string
  width: number
  height: number
  /** The site's name is in it, as far as we can tell. */
  hasName: boolean
  /** It's as dark or light as a theme's page. */
  tone?: 'dark' | 'light' | undefined
}

export interface FooterLink {
  name: string
  href: string
}

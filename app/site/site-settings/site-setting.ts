/**
 * What administrators set in the panel: each is a text, which `read` turns into the setting's value. Runs in the
 * browser too, so no I/O here.
 */
import { lengthProblem, oneLine, tidyText } from '#app/kit/writing/text.ts'
import {
  ACCENT,
  type AccentTheme,
  accentShades,
  contrastOn,
  isColor,
  TEXT_CONTRAST,
} from '#app/platform/accent.ts'
import {
  type FooterLink,
  type LiveSettings,
  type SignUpRule,
  type SiteLogo,
  THRESHOLDS,
} from '#app/platform/operations/live-settings.ts'
import { HOME_TEXTS, homeCopy, WELCOME_TOAST } from '../home/home.ts'
import { SITE_PAGES } from '../layout/site-pages.ts'

/** What the texts are without a change of administrators. */
type Usual = LiveSettings & { flags: Parameters<typeof homeCopy>[0] }

interface SiteSetting<Value> {
  label: string
  hint?: string
  max: number
  isLong?: true
  /** People upload a file, and the text names the stored picture. */
  isPicture?: true
  /** What a text that's one of these is called. */
  choices?: Record<string, string>
  /** The setting of the environment that an administrator can't change. */
  fixedBy?: string
  usual(config: Usual): string
  read(text: string): Value
  /** @param text tidied, and not too long */
  problem?(text: string): string | undefined
}

const needed = (sentence: string) => (text: string) => (text ? undefined : sentence)
const asIs = (text: string) => text

const ADDRESS = /^[\w.+-]+@[\p{L}\d-]+(\.[\p{L}\d-]+)+$/u

const address = (
  name: 'privacyEmail' | 'legalEmail' | 'pressEmail' | 'contactEmail',
  label: string,
  hint?: string,
): SiteSetting<string | null> => ({
  label,
  hint,
  max: 254,
  usual: (config) => config[name] ?? '',
  read: (text) => text || null,
  problem: (text) =>
    text && !ADDRESS.test(text) ? 'An address looks like help@kettle.example' : undefined,
})

const threshold = (
  name: keyof typeof THRESHOLDS,
  rest: Pick<SiteSetting<number>, 'label' | 'hint' | 'fixedBy'>,
): SiteSetting<number> => ({
  ...rest,
  max: 20,
  usual: (config) => String(config[name]),
  read: Number,
  problem: (text) =>
    /^\d{1,4}$/.test(text) && Number(text) >= THRESHOLDS[name]
      ? undefined
      : `A whole number from ${THRESHOLDS[name]} to 9999, please`,
})

const LINKS_MAX = 10
/** A name, then an address of this site or another one. */
const LINK = /^(\S.{0,59}?)\s+(https?:\/\/[^\s/]+\S*|\/\S*)$/

const linksIn = (text: string): (FooterLink | undefined)[] =>
  text
    .split('\n')
    .filter((line) => line.trim())
    .map((line) => {
      const [, name, href] = LINK.exec(line.trim()) ?? []
      return name && href && !href.startsWith('//') && URL.canParse(href, 'https://kettle.example')
        ? { name, href }
        : undefined
    })

function linksProblem(text: string) {
  const links = linksIn(text)
  if (links.length > LINKS_MAX) return `At most ${LINKS_MAX} links, please`
  return links.every(Boolean)
    ? undefined
    : 'A line looks like “Imprint https://kettle.example/imprint” or “Imprint /about”'
}

const SIGN_UP_NAMES: Record<SignUpRule['mode'], string> = {
  open: 'Everyone',
  domains: 'People with an address at the domains below, or an invitation',
  invitation: 'People with an invitation',
  closed: 'No one',
}

const DOMAINS_MAX = 20
const DOMAIN = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/

const domainsIn = (text: string) =>
  text
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(Boolean)

function domainsProblem(text: string) {
  const domains = domainsIn(text)
  if (domains.length > DOMAINS_MAX) return `At most ${DOMAINS_MAX} domains, please`
  return domains.every((domain) => DOMAIN.test(domain))
    ? undefined
    : 'A domain looks like acme.example'
}

/** Of each picture: its file's name and type, and the least size in pixels. */
export const PICTURES = {
  logo: { file: 'logo', type: 'png', least: { width: 32, height: 32 } },
  sharePicture: { file: 'share', type: 'jpeg', least: { width: 600, height: 315 } },
} as const
export type PictureName = keyof typeof PICTURES
export const isPictureName = (name: string): name is PictureName => Object.hasOwn(PICTURES, name)

export const PICTURE_REFUSALS = {
  notFound: 'There’s no such picture',
  noFile: 'Send the picture as a file',
  tooSmall: (name: PictureName, { width, height }: Size) =>
    `This picture is too small: ${sizeText({ width, height })}. It needs at least ${sizeText(PICTURES[name].least)}.`,
} as const

interface Size {
  width: number
  height: number
}
const sizeText = ({ width, height }: Size) => `${width} × ${height} pixels`

/** How a setting names a stored picture. */
export const pictureText = (
  hash: string,
  { width, height, tone }: Pick<SiteLogo, 'width' | 'height' | 'tone'>,
) => [hash, `${width}x${height}`, tone].filter(Boolean).join('-')

const PICTURE_TEXT = /^([0-9a-f]{16})-(\d+)x(\d+)(?:-(dark|light))?$/

export function pictureIn(name: PictureName, text: string): SiteLogo | undefined {
  const [, hash, width, height, tone] = PICTURE_TEXT.exec(text) ?? []
  if (!hash) return undefined
  const { file, type } = PICTURES[name]
  return {
    path: `/brand/${file}-${hash}.${type}`,
    width: Number(width),
    height: Number(height),
    hasName: Number(width) > 2 * Number(height),
    tone: tone as SiteLogo['tone'],
  }
}

const picture = (label: string, hint: string) => ({
  label,
  hint,
  max: 60,
  isPicture: true as const,
  usual: () => '',
  problem: (text: string) => (text ? PICTURE_REFUSALS.noFile : undefined),
})

export const SITE_SETTINGS = {
  siteName: {
    label: 'Site name',
    hint: 'In the header, in titles and in emails.',
    max: 40,
    fixedBy: 'SITE_NAME',
    usual: ({ siteName }) => siteName,
    read: asIs,
    problem: needed('The site needs a name'),
  },
  accent: {
    label: 'Accent color',
    hint: 'Of buttons and links, also in emails. Each theme gets a shade of it that people can read.',
    max: 20,
    usual: () => ACCENT,
    read: (text) => (text.toLowerCase() === ACCENT ? undefined : text.toLowerCase()),
    problem: (text) => (isColor(text) ? undefined : `A color looks like ${ACCENT}`),
  },
  logo: {
    ...picture(
      'Logo',
      'In the header, in emails and in the browser’s tab. One that’s more than twice as wide as it’s high replaces the name, too.',
    ),
    read: (text) => pictureIn('logo', text),
  },
  sharePicture: {
    ...picture(
      'Share picture',
      'Other sites show it with links to this one. We cut it to 1200 × 630 pixels.',
    ),
    read: (text) => pictureIn('sharePicture', text)?.path,
  },
  heroSentence: {
    label: 'Hero sentence',
    hint: 'Below the name on the home page.',
    max: 120,
    usual: () => HOME_TEXTS.tagline,
    read: asIs,
    problem: needed('The home page needs a sentence'),
  },
  welcomeText: {
    label: 'Welcome text',
    hint: 'Below the hero sentence, and in search results.',
    max: 300,
    isLong: true,
    usual: ({ flags }) => homeCopy(flags),
    read: asIs,
    problem: needed('The home page needs a text'),
  },
  greeting: {
    label: 'Greeting',
    hint: 'Pops up on the home page. {n} is a number from 5 to 23. Leave it empty for no greeting.',
    max: 120,
    usual: () => WELCOME_TOAST.text,
    read: asIs,
  },
  footerLinks: {
    label: 'Footer links',
    hint: 'One per line: a name, then an address.',
    max: 2000,
    isLong: true,
    usual: () => '',
    read: (text) => linksIn(text).filter((link) => link !== undefined),
    problem: linksProblem,
  },
  privacyEmail: address('privacyEmail', 'Privacy'),
  legalEmail: address('legalEmail', 'Legal matters'),
  pressEmail: address('pressEmail', 'Press'),
  contactEmail: address(
    'contactEmail',
    'Replies',
    'Where replies go when you answer a contact message by email.',
  ),
  operator: {
    label: 'Who runs this site',
    hint: 'A name and a postal address. The Privacy Policy and the Terms of Service show them.',
    max: 300,
    isLong: true,
    usual: () => '',
    read: (text) => text.split('\n').join(', ') || null,
  },
  signUpMode: {
    label: 'Who may sign up',
    hint: 'People who have an account keep it, and reading and writing work without one.',
    max: 20,
    choices: SIGN_UP_NAMES,
    usual: () => 'open',
    read: (text) => text as SignUpRule['mode'],
  },
  signUpDomains: {
    label: 'Email domains',
    hint: 'One per line, such as acme.example. Without a mail server, no one checks that an address is theirs.',
    max: 1000,
    isLong: true,
    usual: () => '',
    read: domainsIn,
    problem: domainsProblem,
  },
  badgeHoldersMin: threshold('badgeHoldersMin', {
    label: 'Badges',
    hint: 'How many colleagues need one before it shows.',
  }),
  roomHoldersMin: threshold('roomHoldersMin', {
    label: 'Rooms',
    hint: 'How many colleagues need a badge before their room opens.',
  }),
  ratingBatch: threshold('ratingBatch', {
    label: 'Ratings',
    hint: 'How many people’s ratings of a company are published together.',
    fixedBy: 'RATING_BATCH',
  }),
} satisfies { [Name in keyof LiveSettings]-?: SiteSetting<LiveSettings[Name]> }

type LiveName = keyof typeof SITE_SETTINGS
export const LIVE_NAMES = Object.keys(SITE_SETTINGS) as LiveName[]

/** The setting that replaces a page's text. */
export const pageSetting = (page: string): PageName => `page-${page}`
type PageName = `page-${string}`
export const PAGE_NAMES = SITE_PAGES.map(({ href }) => pageSetting(href.slice(1)))
/** Undefined for other settings. */
export const pageOf = (name: SettingName) => (isPage(name) ? name.slice(5) : undefined)
const isPage = (name: SettingName): name is PageName => name.startsWith('page-')

export type SettingName = LiveName | PageName

export const VALUE_MAX = 40_000

/** The server knows a page's usual text. */
export const settingOf = (name: SettingName): SiteSetting<unknown> =>
  isPage(name)
    ? {
        label: SITE_PAGES.find(({ href }) => href === `/${pageOf(name)}`)?.name ?? '',
        hint: PAGE_HINT,
        max: VALUE_MAX,
        isLong: true,
        usual: () => '',
        read: asIs,
      }
    : SITE_SETTINGS[name]

const PAGE_HINT =
  'Markdown. Placeholders such as {siteName} and {legalEmail} are filled in; {effective} is the day of the last change. Our text says what the site stores, so reread it after updates.'

/** A text as it's stored. */
export const tidySetting = (name: SettingName, text: string) =>
  settingOf(name).isLong ? tidyText(text) : oneLine(text)

/** @param text tidied */
export function settingProblem(name: SettingName, text: string) {
  const { max, choices, problem } = settingOf(name)
  if (choices && !Object.hasOwn(choices, text)) return 'Choose one of these'
  return lengthProblem(text, max, 'text') ?? problem?.(text)
}

/** As people read it. */
export function shownText(name: SettingName, text: string) {
  const picture = isPictureName(name) ? pictureIn(name, text) : undefined
  if (picture) return `${sizeText(picture)} (${text.split('-', 1)})`
  return settingOf(name).choices?.[text] ?? text
}

/** The shade that a theme gets of the picked color, and why. */
export function accentSentence(picked: string, theme: AccentTheme) {
  const { tea } = accentShades(picked, theme)
  const ratio = (color: string) => `${Math.floor(contrastOn(color, theme) * 10) / 10}:1`
  const shade = `In the ${theme} theme, it’s ${tea}, with a contrast of ${ratio(tea)}.`
  return contrastOn(picked, theme) < TEXT_CONTRAST
    ? `${shade} ${picked.toLowerCase()} would have ${ratio(picked)}, and text needs ${TEXT_CONTRAST}:1.`
    : shade
}

export const fixedSentence = (variable: string) =>
  `${variable} sets this on the server, so it can’t be changed here.`

/** The screen's parts. */
export const SETTING_GROUPS: {
  id: string
  title: string
  text: string
  names: LiveName[]
  pages?: PageName[]
}[] = [
  {
    id: 'texts',
    title: 'Name and texts',
    text: 'What people see first.',
    names: ['siteName', 'heroSentence', 'welcomeText', 'greeting', 'footerLinks'],
  },
  {
    id: 'look',
    title: 'Look',
    text: 'What makes the site yours.',
    names: ['logo', 'accent', 'sharePicture'],
  },
  {
    id: 'addresses',
    title: 'Contact addresses',
    text: 'Make sure that someone reads them. If you leave one empty, pages drop the sentences that name it.',
    names: ['privacyEmail', 'legalEmail', 'pressEmail', 'contactEmail'],
  },
  {
    id: 'sign-up',
    title: 'Sign-up',
    text: 'Who can create an account.',
    names: ['signUpMode', 'signUpDomains'],
  },
  {
    id: 'thresholds',
    title: 'Thresholds',
    text: 'They protect people in small groups, so you can only raise them. What already shows stays.',
    names: ['badgeHoldersMin', 'roomHoldersMin', 'ratingBatch'],
  },
  {
    id: 'pages',
    title: 'Rules and legal pages',
    text: 'Until you change a page, it has our text.',
    names: ['operator'],
    pages: PAGE_NAMES,
  },
]

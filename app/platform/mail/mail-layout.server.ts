import { ACCENT, type AccentShades, accentShades } from '../accent.ts'
import { escaped } from '../http/html.server.ts'
import type { LiveSettings } from '../operations/live-settings.ts'

/** What emails show of the site. */
export interface MailSite extends Pick<LiveSettings, 'siteName' | 'accent' | 'logo'> {
  /** Known for certain only once the site listens. */
  siteUrl: () => string
}

interface MailText {
  subject: string
  heading: string
  paragraphs: string[]
  /** The main action: a button, with the link spelled out below. */
  action?: { label: string; href: string }
  /** Small print, such as why people get this email. */
  note?: string
}

interface LaidOutMail {
  subject: string
  text: string
  html: string
}

/** Same as in app/kit/ui/app.css, light and dark. */
const DAY = {
  paper: '#faf7f2',
  surface: '#ffffff',
  line: '#e4dccf',
  ink: '#1c2230',
  soft: '#4b5162',
  faint: '#656a78',
}
const NIGHT: typeof DAY = {
  paper: '#14161c',
  surface: '#1b1e26',
  line: '#2d323d',
  ink: '#f0eae0',
  soft: '#bab6ad',
  faint: '#9a9891',
}
const SERIF = "Newsreader,Georgia,'Times New Roman',serif"
const SANS = "'Instrument Sans',-apple-system,'Segoe UI',Arial,sans-serif"

/**
 * Lays out an email. All texts are plain text. An email loads nothing from elsewhere, so no one learns when it's
 * opened. It carries the site's own logo. Mailboxes show the first paragraph after the subject.
 * @throws an Error if `siteUrl` or the link isn't an http or https URL
 */
export function mailOf(site: MailSite, mail: MailText): LaidOutMail {
  const siteUrl = site.siteUrl()
  for (const href of [siteUrl, mail.action?.href ?? siteUrl])
    if (!/^https?:\/\/[^\s<>"]+$/.test(href))
      throw new Error('A link in an email must be an http or https URL')
  return { subject: mail.subject, text: textOf(site, mail), html: htmlOf(site, mail) }
}

function textOf({ siteName, siteUrl }: MailSite, { heading, paragraphs, action, note }: MailText) {
  const parts = [
    heading,
    ...paragraphs,
    // Alone on its line, so every mail program finds its end.
    ...(action ? [`${action.label}:\n${action.href}`] : []),
    ...(note ? [note] : []),
    `-- \n${siteName}\n${siteUrl()}`,
  ]
  return `${parts.join('\n\n')}\n`
}

function htmlOf(site: MailSite, { subject, heading, paragraphs, action, note }: MailText) {
  const siteUrl = escaped(site.siteUrl())
  const { accent = ACCENT } = site
  const body = paragraphs.map(
    (text) =>
      `<p class="soft" style="margin:0 0 16px;font:16px/1.6 ${SANS};color:${DAY.soft}">${lines(text)}</p>`,
  )
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escaped(subject)}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
${nightRules(accentShades(accent, 'dark'))}
}
</style>
</head>
<body class="paper" style="margin:0;padding:0;background:${DAY.paper}">
<div style="display:none;max-height:0;overflow:hidden;font-size:1px;line-height:1px;opacity:0">${escaped(paragraphs[0] ?? heading)}${'&#8199;&#847; '.repeat(40)}</div>
<table role="presentation" class="paper" width="100%" cellpadding="0" cellspacing="0" border="0" style="background:${DAY.paper}">
<tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;text-align:left">
<tr><td style="padding:0 4px 16px"><a class="ink" href="${siteUrl}" style="font:600 22px/1.2 ${SERIF};color:${DAY.ink};text-decoration:none">${markOf(site)}</a></td></tr>
<tr><td class="surface" style="padding:32px;background:${DAY.surface};border:1px solid ${DAY.line};border-radius:12px">
<h1 class="ink" style="margin:0 0 16px;font:600 26px/1.25 ${SERIF};color:${DAY.ink}">${escaped(heading)}</h1>
${body.join('\n')}${action ? actionHtml(action, accentShades(accent, 'light')) : ''}
</td></tr>
<tr><td class="faint" style="padding:20px 4px 0;font:13px/1.5 ${SANS};color:${DAY.faint}">${note ? `${linked(note)}<br><br>` : ''}<a class="faint" href="${siteUrl}" style="color:${DAY.faint}">${siteUrl}</a></td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
}

const LOGO_HEIGHT = 36
const LOGO_WIDTH = 220

/** The logo, and the name if it isn't in there. */
function markOf({ siteName, logo }: MailSite) {
  const name = escaped(siteName)
  if (!logo) return name
  const height = Math.min(LOGO_HEIGHT, (LOGO_WIDTH * logo.height) / logo.width)
  const [wide, high] = [(height * logo.width) / logo.height, height].map(Math.round)
  const ground = logo.tone === 'light' ? `background:${DAY.ink};` : ''
  const space = logo.tone ? 'padding:4px;' : ''
  return `<img class="${logo.tone ? `logo-${logo.tone}` : 'logo'}" src="cid:${LOGO_CID}" alt="${logo.hasName ? name : ''}" width="${wide}" height="${high}" style="border:0;border-radius:4px;vertical-align:middle;${space}${ground}">${logo.hasName ? '' : `&nbsp; ${name}`}`
}

export const LOGO_CID = 'logo'
/** Whether the email has to carry it. */
export const showsLogo = ({ html }: { html: string }) => html.includes(` src="cid:${LOGO_CID}"`)

/** The cell has the color, too, for programs that ignore a link's background. */
function actionHtml(
  { label, href }: NonNullable<MailText['action']>,
  { tea, onTea }: AccentShades,
) {
  const link = escaped(href)
  return `
<table role="presentation" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 24px">
<tr><td class="tea" style="background:${tea};border-radius:8px"><a class="on-tea" href="${link}" style="display:inline-block;padding:13px 24px;font:600 16px/1.2 ${SANS};color:${onTea};text-decoration:none">${escaped(label)}</a></td></tr>
</table>
<p class="faint" style="margin:0;font:13px/1.5 ${SANS};color:${DAY.faint}">If the button doesn’t work, open this link:<br><a class="tea-text" href="${link}" style="color:${tea};word-break:break-all">${link}</a></p>`
}

/** Only `!important` overrides inline styles. */
const nightRules = ({ tea, onTea }: AccentShades) =>
  [
    `.paper { background: ${NIGHT.paper} !important; }`,
    `.surface { background: ${NIGHT.surface} !important; border-color: ${NIGHT.line} !important; }`,
    `.ink { color: ${NIGHT.ink} !important; }`,
    `.soft { color: ${NIGHT.soft} !important; }`,
    `.faint { color: ${NIGHT.faint} !important; }`,
    `.logo-dark { background: ${NIGHT.ink} !important; }`,
    '.logo-light { background: none !important; }',
    `.tea { background: ${tea} !important; }`,
    `.on-tea { color: ${onTea} !important; }`,
    `.tea-text { color: ${tea} !important; }`,
  ].join('\n')

const lines = (text: string) => escaped(text).replaceAll('\n', '<br>')
const linked = (text: string) =>
  lines(text).replaceAll(
    /https?:\/\/[^\s<>"]+/g,
    (href) =>
      `<a class="faint" href="${href}" style="color:${DAY.faint};word-break:break-all">${href}</a>`,
  )

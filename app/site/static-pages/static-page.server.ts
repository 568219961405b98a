/** Renders the text pages from Markdown, ours or the operator's. D67. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BURST_POSTS, HOLD_AFTER_REPORTS } from '#app/community/reports/report.ts'
import { INVITATION_DAYS } from '#app/companies/claims/seats/seat.ts'
import { RATING_CATEGORIES } from '#app/companies/company.ts'
import { REASON_NAMES, REASONS, SUSPENSION_DAYS } from '#app/identity/accounts/suspension.ts'
import type { SiteConfig } from '#app/kit/session/session.contract.ts'
import { markdownHtml, tokensOf } from '#app/kit/writing/markdown.ts'
import { cleanText, isBlank } from '#app/kit/writing/text.ts'
import { KEPT_DAYS } from '#app/moderation/notifications/notification.ts'
import { DELETED_DAYS } from '#app/office/contact/contact.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import type { ChosenSetting } from '#app/platform/operations/chosen-settings.server.ts'
import { ConfigError } from '#app/platform/operations/config.server.ts'
import type { LiveSettings } from '#app/platform/operations/live-settings.ts'
import { SITE_PAGES } from '../layout/site-pages.ts'
import { pageSetting } from '../site-settings/site-setting.ts'
import { type StaticPage, WIDGETS } from './static-page.contract.ts'

/** Spec §9. */
const MINIMUM_AGE = 13
const EFFECTIVE = 'May 22, 2025'

export const OUR_PAGES = join(projectFolder, 'app/site/static-pages/texts')

const MAILBOXES = ['privacyEmail', 'legalEmail', 'pressEmail'] as const
/** Facts that a site may not have. */
const OPTIONAL = [...MAILBOXES, 'operator'] as const

export type Facts = Pick<LiveSettings, 'siteName' | (typeof OPTIONAL)[number]> &
  Pick<SiteConfig, 'flags' | 'ratingBatch'> & {
    /** The day administrators changed the page. */
    changedOn?: string
  }

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })
const changeOf = ({ changedOn }: Facts) => changedOn && DAY.format(new Date(changedOn))

/** Placeholders allowed anywhere, as text. */
const textsOf = (facts: Facts): Record<string, string> => ({
  siteName: facts.siteName,
  effective: changeOf(facts) ?? EFFECTIVE,
  minimumAge: `${MINIMUM_AGE}`,
  holdAfterReports: `${HOLD_AFTER_REPORTS}`,
  burstPosts: `${BURST_POSTS}`,
  suspensionDays: `${SUSPENSION_DAYS.slice(0, -1).join(', ')} or ${SUSPENSION_DAYS.at(-1)}`,
  notificationDays: `${KEPT_DAYS}`,
  invitationDays: `${INVITATION_DAYS}`,
  messageDays: `${DELETED_DAYS}`,
  ...Object.fromEntries(RATING_CATEGORIES.map(({ key, name }) => [`rating.${key}`, name])),
})

/** Placeholders of a chapter's body, as Markdown. */
const markdownOf = (facts: Facts): Record<string, string> => ({
  ...Object.fromEntries(
    MAILBOXES.map((mailbox) => {
      const address = facts[mailbox] ?? ''
      return [mailbox, `[${escaped(address)}](mailto:${address})`]
    }),
  ),
  operator: escaped(facts.operator ?? ''),
  ratingCategories: listOf(RATING_CATEGORIES.map(({ name }) => name)),
  reportReasons: listOf(REASONS.map((reason) => REASON_NAMES[reason])),
})

/** Conditions for `{if …}`. */
const conditionsOf = ({ flags, ratingBatch, pressEmail }: Facts): Record<string, boolean> => ({
  companies: flags.enableCompanies,
  discussions: flags.enableDiscussions,
  ratingsTogether: ratingBatch > 1,
  pressEmail: pressEmail !== null,
})

const listOf = (items: string[]) => items.map((item) => `- ${escaped(item)}`).join('\n')

/** Escapes everything that Markdown could read as markup. */
const escaped = (text: string) => text.replace(/[!-/:-@[-`{-~]/g, '\\$&')

const widgetNames = Object.values(WIDGETS).flatMap((name) => name ?? [])

/** All names a page may use in braces. */
export const namesOf = (facts: Facts): string[] => [
  ...Object.keys(textsOf(facts)),
  ...Object.keys(markdownOf(facts)),
  ...Object.keys(conditionsOf(facts)).map((name) => `if ${name}`),
  ...widgetNames,
]

/** All names a page does use in braces. */
export const namesIn = (source: string): string[] =>
  [...source.matchAll(/\{([\w .]+)\}/g)]
    .map(([, name = '']) => name)
    .filter((name) => name !== 'else' && name !== 'end')

const WIDGET_LINE = new RegExp(`^\\{(${widgetNames.join('|')})\\}$`, 'm')
const HEAD = /^---\n([\s\S]*?)\n---\n/
/** `## Title {#id}` */
const CHAPTER = /^## (\S.*) \{#([\w-]+)\}$/m

/** Applies the `{if …}` blocks. @throws an Error if one isn't closed, or isn't on its own line */
function chosenIn(source: string, conditions: Record<string, boolean>): string {
  const chosen: string[] = []
  let open: { shows: boolean; isElse: boolean } | undefined
  for (const line of source.split('\n')) {
    const [, name] = /^\{if (\w+)\}$/.exec(line) ?? []
    if (name && !open) open = { shows: conditions[name] === true, isElse: false }
    else if (line === '{else}' && open && !open.isElse) open = { shows: !open.shows, isElse: true }
    else if (line === '{end}' && open) open = undefined
    else if (open?.shows !== false) chosen.push(line)
  }
  const text = chosen.join('\n')
  if (open || /\{(if \w+|else|end)\}/.test(text))
    throw new Error('Each {if …} needs an {end}, each on its own line')
  return text
}

/** Paragraphs and items of lists, with what's between them. */
const BLOCK_STARTS = /(?=\n\n|\n *(?:[-*]|\d+\.) )/
const SENTENCE_ENDS = /(?<=[.?!][”’"')*_]{0,3})(?=\s)/

/** Drops sentences that name something the site doesn't have, and list items that consist of them. */
function withoutMissing(source: string, facts: Facts): string {
  const missing = OPTIONAL.filter((name) => facts[name] === null)
  const isGone = (text: string) => missing.some((name) => text.includes(`{${name}}`))
  if (!isGone(source)) return source
  return source
    .split(BLOCK_STARTS)
    .map((block) => {
      if (!isGone(block)) return block
      const [marker = ''] = /^\s*(?:(?:[-*]|\d+\.) +)?/.exec(block) ?? []
      const sentences = block.slice(marker.length).split(SENTENCE_ENDS)
      const left = sentences
        .filter((sentence) => !isGone(sentence))
        .join('')
        .trimStart()
      return left && marker + left
    })
    .join('')
}

/**
 * The page of a Markdown text with its placeholders filled in.
 * @throws an Error whose sentence says why it can't be shown
 */
export function staticPage(text: string, facts: Facts): StaticPage {
  const source = `${cleanText(text)}\n`
  const known = namesOf(facts)
  const unknown = namesIn(source).find((name) => !known.includes(name))
  if (unknown) throw new Error(`{${unknown}} is unknown. Use one of {${known.join('}, {')}}`)
  const chosen = withoutMissing(chosenIn(source, conditionsOf(facts)), facts)

  const [head = '', headLines = ''] = HEAD.exec(chosen) ?? []
  const [lead = '', ...rest] = chosen.slice(head.length).split(CHAPTER)
  const texts = textsOf(facts)
  const markdown = {
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, escaped(text)])),
    ...markdownOf(facts),
  }
  const headValue = (name: string) => {
    const line = headLines.split('\n').find((line) => line.startsWith(`${name}: `))
    return line && filled(line.slice(name.length + 2).trim(), texts)
  }
  const chapters = chaptersOf(rest).map(({ id, title, body }) => ({
    id,
    title: filled(title, texts),
    blocks: blocksOf(body, markdown),
  }))
  const description = headValue('description')
  if (!description)
    throw new Error('It needs a line "description: …" between two lines "---" at the top')
  if (isBlank(lead) || chapters.length === 0)
    throw new Error('It needs a paragraph, followed by a section such as "## Contact {#contact}"')
  if (new Set(chapters.map(({ id }) => id)).size < chapters.length)
    throw new Error('Two sections have the same {#id}')
  return {
    description,
    effective: headValue('effective'),
    changed: changeOf(facts),
    lead: htmlOf(filled(lead, markdown)),
    chapters,
  }
}

const filled = (text: string, values: Record<string, string>) =>
  text.replace(/\{([\w.]+)\}/g, (placeholder, name) => {
    const value = values[name]
    if (value === undefined) throw new Error(`${placeholder} can’t be used there`)
    return value
  })

/** @param parts title, id and body of each in turn */
const chaptersOf = ([title, id, body = '', ...rest]: string[]): Chapter[] =>
  title && id ? [{ title, id, body }, ...chaptersOf(rest)] : []

interface Chapter {
  title: string
  id: string
  body: string
}

const blocksOf = (body: string, values: Record<string, string>) =>
  body
    .split(WIDGET_LINE)
    .filter((part) => !isBlank(part))
    .map((part) => (widgetNames.includes(part) ? {} : { html: htmlOf(filled(part, values)) }))

/** Renders Markdown as for posts, but search engines may follow links. A post's `#` is an h3, as `###` is here. */
function htmlOf(markdown: string) {
  const text = markdown.trim().replace(/^#{2,3} /gm, '# ')
  if (!tokensOf(text)) throw new Error('One section is too long or too deeply nested')
  return markdownHtml(text).replaceAll(' rel="nofollow ugc noopener"', '')
}

/** @throws an Error whose sentence says why it can't be shown */
function checkedPage(name: string, source: string, facts: Facts): StaticPage {
  const widgets = namesIn(source).filter((name) => widgetNames.includes(name))
  // Operators can't remove the button that withdraws consent (Spec §4), or the removal counts.
  if (widgets.join() !== (WIDGETS[name] ?? ''))
    throw new Error(
      WIDGETS[name]
        ? `It has to contain {${WIDGETS[name]}} once`
        : `{${widgets}} belongs to another page`,
    )
  return staticPage(source, facts)
}

/** Why it can't be shown. */
export function pageProblem(name: string, source: string, facts: Facts): string | undefined {
  try {
    checkedPage(name, source, facts)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

export const ourPage = (name: string) => readFileSync(join(OUR_PAGES, `${name}.md`), 'utf8')

interface Chosen {
  get(name: string): ChosenSetting | undefined
  onFailure(page: string): void
}

/**
 * Each page by its name: the operator's if `folder` has it, otherwise what administrators chose, or ours.
 * @throws ConfigError if the operator's can't be shown
 */
export function readStaticPages(
  facts: Facts,
  folder?: string,
  chosen?: Chosen,
): Map<string, StaticPage> {
  const names = SITE_PAGES.map(({ href }) => href.slice(1))
  const own = folder && existsSync(folder) ? readdirSync(folder) : []
  const stray = own.find((file) => file.endsWith('.md') && !names.includes(file.slice(0, -3)))
  if (stray)
    throw new ConfigError(
      `${folder} contains ${stray}, but no page has that name. The pages are ${names.join('.md, ')}.md.`,
    )
  return new Map(
    names.map((name) => {
      const isFile = own.includes(`${name}.md`)
      const path = join(isFile ? (folder ?? '') : OUR_PAGES, `${name}.md`)
      const setting = isFile ? undefined : chosen?.get(pageSetting(name))
      try {
        if (setting)
          return [name, checkedPage(name, setting.value, { ...facts, changedOn: setting.day })]
      } catch {
        // It could be shown before an update.
        chosen?.onFailure(name)
      }
      try {
        return [name, checkedPage(name, readFileSync(path, 'utf8'), facts)]
      } catch (error) {
        throw new ConfigError(`The page ${path} can’t be shown: ${(error as Error).message}.`)
      }
    }),
  )
}

/**
 * Turns markdown into HTML that is safe to show, at a price that no text can drive up. The same for
 * the server, which stores it, and for a preview in the browser, where nothing leaves before it is
 * sent. Heavy: load it lazily there.
 */
import { micromark } from 'micromark'
import {
  gfmAutolinkLiteral,
  gfmAutolinkLiteralHtml,
} from 'micromark-extension-gfm-autolink-literal'
import { gfmStrikethrough, gfmStrikethroughHtml } from 'micromark-extension-gfm-strikethrough'
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table'
import type { CompileContext, Extension, HtmlExtension } from 'micromark-util-types'

/**
 * What of markdown is left out. Raw HTML is text like any other, so `<` never starts anything but an
 * address. A line of dashes is a rule and never makes a heading of the paragraph above it, which
 * surprises people, and costs quadratic time.
 */
const left: Extension = { disable: { null: ['htmlFlow', 'htmlText', 'setextUnderline'] } }

/**
 * Bare addresses of sites only, which begin with h or w. A bare e-mail address stays text: on an
 * anonymous site nobody's mailbox should be one click away, and looking for one at every letter is
 * what costs most.
 */
const bareAddresses: Extension = { text: {} }
for (const code of [...'HhWw'].map((letter) => letter.charCodeAt(0))) {
  const constructs = [gfmAutolinkLiteral().text?.[code] ?? []].flat()
  const ofSites = constructs.filter((construct) => construct.name !== 'emailAutolink')
  bareAddresses.text = { ...bareAddresses.text, [code]: ofSites }
}

const extensions = [left, gfmTable(), gfmStrikethrough({ singleTilde: false }), bareAddresses]

/** Rows end where the author ended them: filled up, 20,000 characters of table become 111 MB. */
const shortRows: HtmlExtension = {
  exit: {
    tableRow(this: CompileContext) {
      this.lineEndingIfNeeded()
      this.tag('</tr>')
    },
  },
}

const htmlExtensions = [gfmTableHtml(), shortRows, gfmStrikethroughHtml(), gfmAutolinkLiteralHtml()]

export interface MarkdownHtml {
  /** Safe to put into a page as it is. */
  html: string
  /** Addresses that it leads to, or shows. */
  links: number
}

/**
 * Renders a post: CommonMark with tables, strikethrough and bare addresses. Text that is built to
 * cost much comes out as plain paragraphs; nothing is lost, for its source is what is kept.
 * @param text with its control characters taken out
 */
export function markdownHtml(text: string): MarkdownHtml {
  const rendered = isCheap(text) ? safeHtml(micromark(text, { extensions, htmlExtensions })) : null
  return rendered ?? plainHtml(text)
}

/**
 * What a text may hold to be rendered. micromark takes time that grows with the square of some of
 * these (measured: 10,000 `*_` take 4 s, 10,000 `+ ` 7 s, `http://a.b/` with 4,000 `&amp;` 4 s). Long
 * honest posts stay far below; a text at a limit takes some 100 ms.
 */
const MOST = {
  characters: 20_000,
  lines: 800,
  /** Lines of code are cheap. */
  linesWithCode: 2_500,
  /** Quotes and lists within each other. */
  depth: 20,
  /** Of all lines together. */
  depths: 800,
  /** Runs of what may begin or end emphasis, code, a link or an address. */
  marks: 500,
  cells: 2_000,
  /** Words with h or w: for each, micromark looks back through the text for an open bracket. */
  addressStarts: 1_600,
  /** Of a bare address. */
  addressLength: 2_000,
  /** Of the page's tree. */
  tags: 60,
  /** Of the HTML. */
  html: 200_000,
}

function isCheap(text: string): boolean {
  if (text.length > MOST.characters) return false
  const allLines = text.split('\n')
  const lines = withoutCode(allLines)
  const prose = lines.join('\n')
  const depths = lines.map(depthOf)
  return (
    allLines.length <= MOST.linesWithCode &&
    lines.length <= MOST.lines &&
    count(prose, /\*{1,2}|_{1,2}|~{1,2}|`+|[[\]<@]|:\/\/|www\./gi) <= MOST.marks &&
    count(prose, /\|/g) <= MOST.cells &&
    depths.every((depth) => depth <= MOST.depth) &&
    depths.reduce((sum, depth) => sum + depth, 0) <= MOST.depths &&
    count(prose, /(?<![a-z])[hw]/gi) <= MOST.addressStarts &&
    (prose.match(/(?:https?:\/\/|www\.)\S+/gi) ?? []).every(isCheapAddress)
  )
}

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/**
 * The lines without those of fenced code, which may hold any number of marks. Whether a fence opens or
 * closes is only certain while all of them begin at the left edge; if one does not, code counts too.
 */
function withoutCode(lines: string[]): string[] {
  if (lines.some((line) => /^[ \t>*+\d.)-]+(?:`{3}|~{3})/.test(line))) return lines
  let fence = ''
  return lines.filter((line) => {
    const marks = /^(`{3,})[^`]*$|^(~{3,})/.exec(line)
    const run = marks?.[1] ?? marks?.[2] ?? ''
    if (!fence) {
      fence = run
      return !fence
    }
    const closes = run.startsWith(fence) && line.trimEnd() === run
    if (closes) fence = ''
    return false
  })
}

/** How many quotes and lists a line can be in. */
function depthOf(line: string): number {
  if (/^\s*([-*_])(?:\s*\1)+\s*$/.test(line)) return 0
  const prefix = /^(?:\s*(?:>|[-+*](?=\s|$)|\d{1,9}[.)](?=\s|$)))+/.exec(line)?.[0] ?? ''
  const indent = /^\s*/.exec(prefix)?.[0].length ?? 0
  return count(prefix, /[>+*)-]|\d\./g) + indent / 2
}

/**
 * After each mark that could be an address's last, micromark looks whether only such marks follow:
 * many in a row take it quadratic time.
 */
const isCheapAddress = (address: string) =>
  address.length <= MOST.addressLength && !/(?:[!"')*,.:;<?_~\]]|&[a-z]+;){40}/i.test(address)

/** A post stands below a heading of this level. */
const HEADING_ABOVE = 2

const PLAIN_TAGS = new Set(
  `p em strong del code pre blockquote ul ol li table thead tbody tr th td h1 h2 h3 h4 h5 h6`.split(
    ' ',
  ),
)

/**
 * The last look at every tag that micromark wrote. micromark escapes `<`, `>`, `"` and `&` in text and
 * in attributes alike, and raw HTML is off, so `<…>` in its output is always a whole tag of its own.
 * Each is written anew from a list: what is not on it, attributes too, does not come out. Headings
 * step down, for a page's one h1 is its title, and no further than one below the heading before.
 * Undefined for a page too deep or too long.
 */
function safeHtml(html: string): { html: string; links: number } | undefined {
  if (html.length > MOST.html) return undefined
  /** The links that are open: of links in links, which micromark hardly makes, the outer one counts. */
  const open: { destination: Destination | undefined; labelAt: number }[] = []
  let links = 0
  let depth = 0
  let deepest = 0
  let heading = HEADING_ABOVE
  const safe = html.replace(TAG, (tag, slash, name, attributes, at: number) => {
    if (name === 'a' && !slash) {
      const destination =
        open.length === 0 ? destinationOf(attributeOf('href', attributes)) : undefined
      open.push({ destination, labelAt: at + tag.length })
      if (!destination) return ''
      links++
      return anchorTo(destination)
    }
    if (name === 'a') {
      const { destination, labelAt } = open.pop() ?? { labelAt: at }
      return destination ? `</a>${whereTo(destination, html.slice(labelAt, at))}` : ''
    }
    if (name === 'img') {
      const label = attributeOf('alt', attributes)
      const destination =
        open.length === 0 ? destinationOf(attributeOf('src', attributes)) : undefined
      if (!destination) return label
      links++
      return `${anchorTo(destination)}${label || destination.href}</a>${whereTo(destination, label || destination.href)}`
    }
    if (name === 'br' || name === 'hr') return `<${name}>`
    if (!PLAIN_TAGS.has(name)) return ''
    depth += slash ? -1 : 1
    deepest = Math.max(deepest, depth)
    const attribute = slash ? '' : harmlessAttribute(name, attributes)
    if (!/^h[1-6]$/.test(name)) return `<${slash}${name}${attribute}>`
    if (!slash) heading = Math.min(Number(name[1]) + HEADING_ABOVE, heading + 1, 6)
    return `<${slash}h${heading}>`
  })
  return deepest > MOST.tags ? undefined : { html: safe, links }
}

const TAG = /<(\/?)([a-z]+[1-6]?)([^<>]*)>/g

/** The escaped value of an attribute; micromark always quotes it. */
const attributeOf = (name: string, attributes: string) =>
  new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1] ?? ''

interface Destination {
  /** Escaped. */
  href: string
  /** Whose site or mailbox it is; nothing for a page of ours. */
  whose: string
}

const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'mailto:'])

/**
 * Where a link may lead: to a page of ours, a site, a mailbox. Undefined for anything else, so also for
 * `https://bank.example@evil.example`, which shows one host and goes to another.
 * @param escaped percent-encoded by micromark, so that of all characters only `&` needed escaping
 */
function destinationOf(escaped: string): Destination | undefined {
  const address = escaped.replaceAll('&amp;', '&')
  const href = escapeHtml(address)
  if (/^\/(?!\/)/.test(address)) return { href, whose: '' }
  if (!URL.canParse(address)) return undefined
  const { protocol, hostname, pathname, username, password } = new URL(address)
  if (!SAFE_PROTOCOLS.has(protocol) || username || password) return undefined
  return { href, whose: escapeHtml(protocol === 'mailto:' ? pathname : hostname) }
}

/** The other site gets no hold of our window, and no rank in searches for being linked. */
const anchorTo = ({ href }: Destination) => `<a href="${href}" rel="nofollow ugc noopener">`

/** Whose site a link leads to, unless its label says just that. */
function whereTo({ href, whose }: Destination, labelHtml: string): string {
  const label = labelHtml.replace(/<[^<>]*>/g, '')
  const bare = (address: string) => address.replace(/^(?:https?:\/\/|mailto:)/i, '')
  const says = !whose || label === whose || bare(label) === bare(href)
  return says ? '' : ` <small>(${whose})</small>`
}

/** Where a numbered list starts, and to which side a column leans. */
function harmlessAttribute(name: string, attributes: string): string {
  if (name === 'ol') return / start="\d{1,9}"/.exec(attributes)?.[0] ?? ''
  if (name === 'th' || name === 'td')
    return / align="(?:left|right|center)"/.exec(attributes)?.[0] ?? ''
  return ''
}

/** Paragraphs and line breaks only. Its addresses do not lead anywhere, but they count. */
function plainHtml(text: string): { html: string; links: number } {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim())
  const html = paragraphs
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
  return { html, links: count(text, /https?:\/\/|www\./gi) }
}

const ESCAPED: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (mark) => ESCAPED[mark] ?? mark)

/**
 * Turns Markdown into safe HTML, at a bounded cost. Runs on the server, and in the browser for previews, which send
 * nothing. Load this file lazily there, because it's heavy.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { isBlank, withoutUnseen } from './text.ts'

/** Limits on what we render. Long honest posts stay far below. */
const MOST = {
  characters: 20_000,
  /** Cells in tables. Rows are padded to the width of the header. */
  cells: 5_000,
  /** Lines that a quote scans to find its end. */
  looks: 1_000_000,
  /** Depth of the tree. markdown-it silently drops anything deeper. */
  depth: 50,
  /** Characters of all addresses together, because `[a]` can repeat a long one. */
  addresses: 100_000,
  html: 200_000,
}

/** No raw HTML, so `<` only starts addresses. */
const markdown = new MarkdownIt({ linkify: true, maxNesting: MOST.depth })
  // People are surprised when a line of dashes turns the paragraph above it into a heading.
  .disable('lheading')
  // In languages without spaces between words, emphasis also ends next to brackets.
  .use(cjkFriendly)

const { escapeHtml, lib } = markdown.utils
const { Token: NewToken } = MarkdownIt

/** Of bare addresses, only websites become links. On an anonymous site, no one's mailbox should be one click away. */
const { linkify } = markdown
for (const schema of ['ftp:', '//', 'mailto:']) linkify.add(schema, null)
// Recognizes addresses with a name and password, so we can refuse them completely.
linkify.set({ fuzzyEmail: false, urlAuth: true })
const { re } = linkify
const restOfSite = new RegExp(
  [re.get_auth(), re.get_url_host_port(), re.get_path()].map(({ source }) => source).join(''),
  'iy',
)
/** Emphasis marks that close right after an address, and what comes before them. */
const MARKS_BEHIND = /(?<![~_*?!.,:;'"])[~_*?!.,:;'"]*[~_*]$/

/** How far a site's address continues from there. */
function siteLength(text: string, position: number): number {
  restOfSite.lastIndex = position
  return restOfSite.exec(text)?.[0].replace(MARKS_BEHIND, '').length ?? 0
}

for (const schema of ['http:', 'https:'])
  linkify.add(schema, {
    validate(text, position) {
      const length = text.startsWith('//', position) ? siteLength(text, position + 2) : 0
      return length && length + 2
    },
  })
linkify.add('www.', {
  validate: siteLength,
  normalize(match) {
    match.url = `http://${match.url}`
  },
})

// We show addresses as written, because a decoded foreign letter could pass for one of ours.
markdown.normalizeLinkText = (address) => address
// The link also leads to exactly what was written. Browsers know what these characters mean there.
markdown.normalizeLink = (address) =>
  lib.mdurl.encode(address, `${lib.mdurl.encode.defaultChars}%[]{}|^`)

/** Which addresses a definition may have, while blocks are parsed. With any other, it's text. */
let mayDefine: ((address: string) => boolean) | undefined
markdown.core.ruler.after('block', 'links', () => {
  mayDefine = undefined
})
// We decide on link targets below. A label without its link is better than the source text.
markdown.validateLink = (address) => mayDefine?.(address) ?? true

/**
 * CommonMark with tables, strikethrough and bare addresses. The HTML is safe to use. Text that's built to be expensive
 * becomes plain paragraphs.
 * @param text without control characters
 */
export function markdownHtml(text: string): string {
  const tokens = tokensOf(text)
  if (!tokens) return plainHtml(text)
  const html = markdown.renderer.render(tokens, markdown.options)
  return html.length > MOST.html ? plainHtml(text) : html.trimEnd()
}

/** Undefined for a text that's built to be expensive. */
export function tokensOf(text: string): Token[] | undefined {
  if (!isCheap(text)) return undefined
  const tokens = parsed(text)
  if (isTooDeep(tokens) || lengthOf(addressesIn(tokens)) > MOST.addresses) return undefined
  return restyled(tokens)
}

/** Whether a post's HTML has nothing to read, such as an empty quote. */
export const isBlankHtml = (html: string) =>
  !html.includes('<ol') && isBlank(html.replace(/<[^<>]*>/g, ''))

/** A definition disappears only if a link uses it, so nothing that people wrote is lost. */
function parsed(text: string): Token[] {
  const env: Env = {}
  const leadsSomewhere = (address: string) => destinationOf(address) !== undefined
  mayDefine = leadsSomewhere
  const tokens = markdown.parse(text, env)
  const used = new Set(addressesIn(tokens))
  if (Object.values(env.references ?? {}).every(({ href }) => used.has(href))) return tokens
  mayDefine = (address) => used.has(address) && leadsSomewhere(address)
  return markdown.parse(text, {})
}

/** Tables and quotes end at an empty line, so we stop counting there. */
function isCheap(text: string): boolean {
  if (text.length > MOST.characters) return false
  let cells = 0
  let looks = 0
  for (const block of text.split(/\n[ \t]*\n/)) {
    const lines = block.split('\n')
    const belowHeads = lines.filter((line) => /^[\s>|:-]+$/.test(line) && line.includes('|'))
    const columns = Math.max(0, ...belowHeads.map((line) => line.split('|').length))
    const quotes = lines.map((line) => /^[\s>*+\d.)-]*/.exec(line)?.[0].split('>').length ?? 1)
    cells += lines.length * columns
    looks += lines.length * quotes.reduce((sum, parts) => sum + parts - 1, 0)
  }
  return cells <= MOST.cells && looks <= MOST.looks
}

/** True if something was dropped, because its parent is at the deepest level. */
function isTooDeep(tokens: Token[]): boolean {
  const levels = tokens.flatMap(({ level, children }) => [
    level,
    ...(children ?? []).map((child) => level + child.level),
  ])
  return levels.some((level) => level + 1 >= MOST.depth)
}

const addressesIn = (tokens: Token[]): string[] =>
  tokens.flatMap(({ children }) => children ?? []).flatMap((token) => linkTarget(token) ?? [])

const lengthOf = (texts: string[]) => texts.reduce((sum, { length }) => sum + length, 0)

/** Where a link or image leads, as in the HTML before escaping. */
const linkTarget = (token: Token) => {
  const address = token.attrGet('href') ?? token.attrGet('src')
  return address === null ? undefined : String(address)
}

/** A post's headings start at this level. */
const HEADING_ABOVE = 2

/**
 * Adapts the tree to our pages. Headings move down, because a page has one h1, and don't skip levels. Code doesn't name
 * a language. Columns are aligned by an attribute, because styles are forbidden. Rows end where the author ended them.
 */
function restyled(tokens: Token[]): Token[] {
  const kept: Token[] = []
  let heading = HEADING_ABOVE
  for (const token of tokens) {
    const { type } = token
    if (type === 'heading_open')
      heading = Math.min(Number(token.tag[1]) + HEADING_ABOVE, heading + 1, 6)
    if (type === 'heading_open' || type === 'heading_close') token.tag = `h${heading}`
    if (type === 'fence') token.info = ''
    if (type === 'th_open' || type === 'td_open') token.attrs = leaning(token)
    if (type === 'tr_close') while (endsFilledUp(kept)) kept.length -= 3
    if (type === 'inline') token.children = withSafeLinks(token.children ?? [])
    kept.push(token)
  }
  return kept
}

function leaning(cell: Token): [string, string][] | null {
  const side = /^text-align:(left|right|center)$/.exec(String(cell.attrGet('style')))?.[1]
  return side ? [['align', side]] : null
}

/** If a row ends with an empty cell and has another before it. */
function endsFilledUp(tokens: Token[]): boolean {
  const [before, open, content] = tokens.slice(-4)
  return before?.type === 'td_close' && open?.type === 'td_open' && content?.content === ''
}

/** Links keep allowed targets, and name their site. If links are nested, the outer one counts. Images become links. */
function withSafeLinks(tokens: Token[]): Token[] {
  const kept: Token[] = []
  let open = 0
  let outer: { destination: Destination | undefined; labelAt: number } | undefined
  for (const token of tokens) {
    if (token.type === 'image') {
      const label = textToken(withoutUnseen(textOf(token.children ?? [])))
      const destination = open === 0 ? destinationOf(linkTarget(token)) : undefined
      kept.push(...(destination ? linkTo(destination, [label]) : [label]))
    } else if (token.type === 'link_open') {
      if (open++ === 0)
        outer = { destination: destinationOf(linkTarget(token)), labelAt: kept.length }
    } else if (token.type === 'link_close') {
      if (--open === 0 && outer?.destination)
        kept.push(...linkTo(outer.destination, kept.splice(outer.labelAt)))
    } else {
      if (token.tag === 's') token.tag = 'del'
      // An entity can encode a removed character.
      if (token.type === 'text') token.content = withoutUnseen(token.content)
      kept.push(token)
    }
  }
  return kept
}

interface Destination {
  href: string
  /** Whose site or mailbox it is. Empty for our pages. */
  whose: string
}

/**
 * A page of ours, a site or a mailbox. Undefined for anything else, including `https://bank.example@evil.example`, which
 * shows one host and goes to another, `http:page`, whose target depends on the browser's page, and an empty `mailto:`.
 * @param href percent-encoded
 */
function destinationOf(href = ''): Destination | undefined {
  if (/^\/(?!\/)/.test(href)) return { href, whose: '' }
  if (!/^(?:https?:\/\/|mailto:)/i.test(href) || !URL.canParse(href)) return undefined
  const { protocol, hostname, pathname, username, password } = new URL(href)
  if (username || password) return undefined
  const whose = protocol === 'mailto:' ? pathname : hostname
  return whose ? { href, whose } : undefined
}

/**
 * Names the link's site unless the label does. If the label shows nothing, we show the address. The site can't access
 * our window, and gets no rank in searches.
 */
function linkTo({ href, whose }: Destination, children: Token[]): Token[] {
  const start = new NewToken('link_open', 'a', 1)
  start.attrs = [
    ['href', href],
    ['rel', 'nofollow ugc noopener'],
  ]
  const label = isBlank(textOf(children)) ? [textToken(href)] : children
  const labelText = textOf(label)
  const link = [start, ...label, new NewToken('link_close', 'a', -1)]
  const bare = (address: string) => address.replace(/^(?:https?:\/\/|mailto:)/i, '')
  if (!whose || labelText === whose || bare(labelText) === bare(href)) return link
  return [
    ...link,
    textToken(' '),
    new NewToken('host_open', 'small', 1),
    textToken(`(${whose})`),
    new NewToken('host_close', 'small', -1),
  ]
}

/** Escaped when it's rendered. */
function textToken(content: string): Token {
  const token = new NewToken('text', '', 0)
  token.content = content
  return token
}

const textOf = (tokens: Token[]) =>
  markdown.renderer.renderInlineAsText(tokens, markdown.options, {})

function plainHtml(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim())
  return paragraphs
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
}

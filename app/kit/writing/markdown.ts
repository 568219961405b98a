/**
 * Turns markdown into HTML that is safe to show, at a price that no text can drive up. The same for
 * the server, which stores it, and for a preview in the browser, where nothing leaves before it is
 * sent. Heavy: load it lazily there.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { isBlank, withoutUnseen } from './text.ts'

/** What a text may hold to be rendered: a long honest post stays far below. */
const MOST = {
  characters: 20_000,
  /** Of its tables, whose rows are filled up to the width of the head. */
  cells: 5_000,
  /** Lines that its quotes look at, as each looks how far it goes. */
  looks: 1_000_000,
  /** Of the page's tree, of which markdown-it silently leaves out what lies deeper. */
  depth: 50,
  /** Characters of all addresses together: `[a]` can repeat a long one. */
  addresses: 100_000,
  /** Characters of the HTML. */
  html: 200_000,
}

/** Without raw HTML, so `<` never starts anything but an address. */
const markdown = new MarkdownIt({ linkify: true, maxNesting: MOST.depth })
  // A line of dashes is a rule: that it makes a heading of the paragraph above it surprises people.
  .disable('lheading')
  // Where no spaces stand between words, emphasis ends beside a bracket as well.
  .use(cjkFriendly)

const { escapeHtml, lib } = markdown.utils
const { Token: NewToken } = MarkdownIt

/**
 * Of bare addresses only sites become links. A bare e-mail address stays text: on an anonymous site
 * nobody's mailbox should be one click away.
 */
const { linkify } = markdown
for (const schema of ['ftp:', '//', 'mailto:']) linkify.add(schema, null)
// With a name and password an address is recognized, and then refused as a whole.
linkify.set({ fuzzyEmail: false, urlAuth: true })
const { re } = linkify
const restOfSite = new RegExp(
  [re.get_auth(), re.get_url_host_port(), re.get_path()].map(({ source }) => source).join(''),
  'iy',
)
/** Marks of emphasis that close behind an address, and what stands before them. */
const MARKS_BEHIND = /(?<![~_*?!.,:;'"])[~_*?!.,:;'"]*[~_*]$/

/** How far a site's address goes on from there. */
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

// An address shows as it was written: decoded, a foreign letter passes for one of ours.
markdown.normalizeLinkText = (address) => address
// It leads where it was written to: a browser knows itself what these signs mean where they stand.
markdown.normalizeLink = (address) =>
  lib.mdurl.encode(address, `${lib.mdurl.encode.defaultChars}%[]{}|^`)

/** While blocks are parsed: which addresses a definition may be for. With another one it's text. */
let mayDefine: ((address: string) => boolean) | undefined
markdown.core.ruler.after('block', 'links', () => {
  mayDefine = undefined
})
// Where a link may lead is decided below. A label without its link is better than its source.
markdown.validateLink = (address) => mayDefine?.(address) ?? true

/**
 * Renders a post: CommonMark with tables, strikethrough and bare addresses, as HTML that is safe to
 * put into a page as it is. Text that is built to cost much comes out as plain paragraphs.
 * @param text with its control characters taken out
 */
export function markdownHtml(text: string): string {
  const tokens = tokensOf(text)
  if (!tokens) return plainHtml(text)
  const html = markdown.renderer.render(tokens, markdown.options)
  return html.length > MOST.html ? plainHtml(text) : html.trimEnd()
}

/** What a post shows; undefined for a text that is built to cost much, which is shown as it stands. */
export function tokensOf(text: string): Token[] | undefined {
  if (!isCheap(text)) return undefined
  const tokens = parsed(text)
  if (isTooDeep(tokens) || lengthOf(addressesIn(tokens)) > MOST.addresses) return undefined
  return restyled(tokens)
}

/** True for the HTML of a post in which there's nothing to read, such as a quote of nothing. */
export const isBlankHtml = (html: string) =>
  !html.includes('<ol') && isBlank(html.replace(/<[^<>]*>/g, ''))

/** A definition disappears only where a link leads to it: nothing that somebody wrote is lost. */
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

/** Neither a table nor a quote goes beyond an empty line, so no more is counted than up to there. */
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

/** True whenever something was left out: what holds it is the deepest that is there. */
function isTooDeep(tokens: Token[]): boolean {
  const levels = tokens.flatMap(({ level, children }) => [
    level,
    ...(children ?? []).map((child) => level + child.level),
  ])
  return levels.some((level) => level + 1 >= MOST.depth)
}

const addressesIn = (tokens: Token[]): string[] =>
  tokens.flatMap(({ children }) => children ?? []).flatMap((token) => addressOf(token) ?? [])

const lengthOf = (texts: string[]) => texts.reduce((sum, { length }) => sum + length, 0)

/** Where a link or an image leads, as it stands in the HTML but for its escaping. */
const addressOf = (token: Token) => {
  const address = token.attrGet('href') ?? token.attrGet('src')
  return address === null ? undefined : String(address)
}

/** A post stands below a heading of this level. */
const HEADING_ABOVE = 2

/**
 * The same page as we show it. Headings step down, for a page's one h1 is its title, and no further
 * than one below the heading before. Code does not say its language, columns lean by an attribute, as
 * styles are forbidden, and rows end where the author ended them.
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

/** True if a row ends with an empty cell and has another one before it. */
function endsFilledUp(tokens: Token[]): boolean {
  const [before, open, content] = tokens.slice(-4)
  return before?.type === 'td_close' && open?.type === 'td_open' && content?.content === ''
}

/**
 * Links lead only where they may, and say whose site that is; of links in links the outer one counts.
 * An image becomes a link to it.
 */
function withSafeLinks(tokens: Token[]): Token[] {
  const kept: Token[] = []
  let open = 0
  let outer: { destination: Destination | undefined; labelAt: number } | undefined
  for (const token of tokens) {
    if (token.type === 'image') {
      const label = textToken(withoutUnseen(textOf(token.children ?? [])))
      const destination = open === 0 ? destinationOf(addressOf(token)) : undefined
      kept.push(...(destination ? linkTo(destination, [label]) : [label]))
    } else if (token.type === 'link_open') {
      if (open++ === 0)
        outer = { destination: destinationOf(addressOf(token)), labelAt: kept.length }
    } else if (token.type === 'link_close') {
      if (--open === 0 && outer?.destination)
        kept.push(...linkTo(outer.destination, kept.splice(outer.labelAt)))
    } else {
      if (token.tag === 's') token.tag = 'del'
      // An entity can stand for what was taken out of the text.
      if (token.type === 'text') token.content = withoutUnseen(token.content)
      kept.push(token)
    }
  }
  return kept
}

interface Destination {
  href: string
  /** Whose site or mailbox it is; nothing for a page of ours. */
  whose: string
}

/**
 * Where a link may lead: to a page of ours, a site, a mailbox. Undefined for anything else, so also for
 * `https://bank.example@evil.example`, which shows one host and goes to another, and for `http:page`,
 * which leads to a page of ours or to a site, as the browser is on either, and for `mailto:` with nobody behind it.
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
 * A link and, unless its label says just that, whose site it leads to; its address stands for a label that
 * shows nothing. The other site gets no hold of our window, and no rank in searches for being linked.
 */
function linkTo({ href, whose }: Destination, given: Token[]): Token[] {
  const start = new NewToken('link_open', 'a', 1)
  start.attrs = [
    ['href', href],
    ['rel', 'nofollow ugc noopener'],
  ]
  const label = isBlank(textOf(given)) ? [textToken(href)] : given
  const said = textOf(label)
  const link = [start, ...label, new NewToken('link_close', 'a', -1)]
  const bare = (address: string) => address.replace(/^(?:https?:\/\/|mailto:)/i, '')
  if (!whose || said === whose || bare(said) === bare(href)) return link
  return [
    ...link,
    textToken(' '),
    new NewToken('host_open', 'small', 1),
    textToken(`(${whose})`),
    new NewToken('host_close', 'small', -1),
  ]
}

/** Is escaped when it is rendered. */
function textToken(content: string): Token {
  const token = new NewToken('text', '', 0)
  token.content = content
  return token
}

const textOf = (tokens: Token[]) =>
  markdown.renderer.renderInlineAsText(tokens, markdown.options, {})

/** Paragraphs and line breaks only. */
function plainHtml(text: string): string {
  const paragraphs = text.split(/\n\s*\n/).filter((paragraph) => paragraph.trim())
  return paragraphs
    .map((paragraph) => `<p>${escapeHtml(paragraph.trim()).replaceAll('\n', '<br>')}</p>`)
    .join('\n')
}

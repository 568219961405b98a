/**
 * Markdown to safe HTML, at a bounded price. Runs on the server, and in the browser for previews, where nothing is
 * sent. Heavy, so load it lazily there.
 */
import MarkdownIt, { type Env, type Token } from 'markdown-it'
import cjkFriendly from 'markdown-it-cjk-friendly'
import { isBlank, withoutUnseen } from './text.ts'

/** Limits of what's rendered. Long honest posts stay far below. */
const MOST = {
  characters: 20_000,
  /** Cells of its tables, whose rows are padded to the width of the head. */
  cells: 5_000,
  /** Lines that quotes scan to find their end. */
  looks: 1_000_000,
  /** Depth of the tree. Beyond it, markdown-it drops content silently. */
  depth: 50,
  /** Characters of all addresses together, as `[a]` can repeat a long one. */
  addresses: 100_000,
  html: 200_000,
}

/** No raw HTML, so `<` only starts addresses. */
const markdown = new MarkdownIt({ linkify: true, maxNesting: MOST.depth })
  // People are surprised when a line of dashes turns the paragraph above it into a heading.
  .disable('lheading')
  // Where no spaces separate words, emphasis ends beside brackets, too.
  .use(cjkFriendly)

const { escapeHtml, lib } = markdown.utils
const { Token: NewToken } = MarkdownIt

/** Only bare site addresses become links. On an anonymous site no one's mailbox should be one click away. */
const { linkify } = markdown
for (const schema of ['ftp:', '//', 'mailto:']) linkify.add(schema, null)
// Recognizes addresses with a name and password, and then refuses them whole.
linkify.set({ fuzzyEmail: false, urlAuth: true })
const { re } = linkify
const restOfSite = new RegExp(
  [re.get_auth(), re.get_url_host_port(), re.get_path()].map(({ source }) => source).join(''),
  'iy',
)
/** Emphasis marks that close behind an address, and what stands before them. */
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

// Addresses show as written. Decoded, a foreign letter could pass for one of ours.
markdown.normalizeLinkText = (address) => address
// The link also leads to what was written. Browsers know what these signs mean where they are.
markdown.normalizeLink = (address) =>
  lib.mdurl.encode(address, `${lib.mdurl.encode.defaultChars}%[]{}|^`)

/** Which addresses a definition may have, while blocks are parsed. With others it's text. */
let mayDefine: ((address: string) => boolean) | undefined
markdown.core.ruler.after('block', 'links', () => {
  mayDefine = undefined
})
// Link targets are decided below. A label without its link is better than its source.
markdown.validateLink = (address) => mayDefine?.(address) ?? true

/**
 * CommonMark with tables, strikethrough and bare addresses. The HTML is safe as it is. Text built to be expensive comes
 * out as plain paragraphs.
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

/** For a post's HTML without anything to read, such as a quote of nothing. */
export const isBlankHtml = (html: string) =>
  !html.includes('<ol') && isBlank(html.replace(/<[^<>]*>/g, ''))

/** A definition disappears only if a link uses it, so that nothing written is lost. */
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

/** Tables and quotes end at an empty line, so count no further. */
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

/** True whenever something was dropped, as its parent is the deepest level. */
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
 * Adapts the tree to our pages. Headings move down, as a page has one h1, and skip no level. Code names no language,
 * columns align by an attribute, as styles are forbidden, and rows end where the author ended them.
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

/** Links keep allowed targets and name their site. Of nested links the outer counts. Images become links. */
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
 * Names the link's site unless the label does. If the label shows nothing, the address does. The site gets no hold of
 * our window and no rank in searches.
 */
function linkTo({ href, whose }: Destination, given: Token[]): Token[] {
  const start = new NewToken('link_open', 'a', 1)
  start.attrs = [
    ['href', href],
    ['rel', 'nofollow ugc noopener'],
  ]
  const label = isBlank(textOf(given)) ? [textToken(href)] : given
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

import type { Token } from 'markdown-it'
import { tokensOf } from './markdown.ts'
import { cutText, oneLine, shortened } from './text.ts'

export const EXCERPT_MAX = 220
/**
 * How much of a text an excerpt needs, so long texts cost no more. Queries read one character more, to know whether
 * there's more.
 */
export const EXCERPT_SOURCE = 1_000

/**
 * The beginning of a markdown text as its readers see it, in one line, cut after a word with "…". Plain text, so
 * escape it.
 * @param max UTF-16 units, including the "…"
 */
export function excerptOf(text: string, max = EXCERPT_MAX): string {
  const source = cutText(text, EXCERPT_SOURCE)
  const tokens = tokensOf(source)
  return shortened(oneLine(tokens ? textOfTokens(tokens) : source), max, source !== text)
}

function textOfTokens(tokens: Token[]): string {
  const numbered = numberedItems(tokens)
  return tokens
    .map((token) => {
      if (numbered.has(token)) return `${token.info}${token.markup}`
      if (token.type === 'inline') return inlineWords(token.children ?? [])
      return token.type === 'fence' || token.type === 'code_block' ? token.content : ''
    })
    .filter(Boolean)
    .join(' ')
}

/** Drops a link's host, which says less than its text. */
function inlineWords(tokens: Token[]): string {
  let words = ''
  let isHost = false
  for (const { type, content } of tokens) {
    if (type === 'host_open') words = words.trimEnd()
    if (type === 'host_open' || type === 'host_close') isHost = type === 'host_open'
    else if (type === 'softbreak' || type === 'hardbreak') words += ' '
    else if (!isHost) words += content
  }
  return words
}

/** Keeps numbers of list items that mean something, as in "2024. A good year". A list from 1 reads well without them. */
function numberedItems(tokens: Token[]): Set<Token> {
  const found = new Set<Token>()
  const open: Token[][] = []
  for (const token of tokens) {
    if (token.type === 'ordered_list_open' || token.type === 'bullet_list_open') open.push([])
    if (token.type === 'list_item_open') open.at(-1)?.push(token)
    if (token.type === 'bullet_list_close') open.pop()
    if (token.type !== 'ordered_list_close') continue
    const items = open.pop() ?? []
    const isAlone = items.length === 1 && open.length === 0
    if (isAlone || Number(items[0]?.info) > 1) for (const item of items) found.add(item)
  }
  return found
}

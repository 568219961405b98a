/** A passage of somebody else's post, as it stands above an answer to it. */
import { type PointerEvent, useRef } from 'react'

/** Each is another one, even of the same passage. */
export interface Quote {
  passage: string
}

/** In Markdown: every line behind its mark, with room for the answer below. */
export function quoteOf(passage: string): string {
  const lines = passage
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
  return `${lines.map((line) => `> ${line.trim()}`.trimEnd()).join('\n')}\n\n`
}

/** Behind what is written already, as a paragraph of its own. */
export const withQuote = (body: string, passage: string) =>
  body.trim() === '' ? quoteOf(passage) : `${body.trimEnd()}\n\n${quoteOf(passage)}`

/**
 * What is quoted of a post: what is selected in it, or else all of it. `post` goes on the post itself,
 * `watch` on what holds the button.
 */
export function usePassage() {
  const post = useRef<HTMLDivElement>(null)
  /** What was selected when a button was touched: phones let go of it then. */
  const touched = useRef('')
  return {
    post,
    watch: {
      onPointerDownCapture: ({ currentTarget, target }: PointerEvent) => {
        // A menu's entries lie outside of what holds its button.
        if (currentTarget.contains(target as Node)) touched.current = selectedIn(post.current)
      },
    },
    takeQuote: (): Quote | undefined => {
      const passage = selectedIn(post.current) || touched.current || linesOf(post.current)
      touched.current = ''
      return passage ? { passage } : undefined
    },
  }
}

/** As it is read; empty where nothing is selected. What is selected beyond the post is left out. */
function selectedIn(post: HTMLElement | null): string {
  const selection = getSelection()
  if (!post || !selection || selection.isCollapsed || selection.rangeCount === 0) return ''
  const range = selection.getRangeAt(0)
  if (!range.intersectsNode(post)) return ''
  // Three clicks select a paragraph, and the beginning of what comes after it.
  if (!post.contains(range.startContainer)) range.setStart(post, 0)
  if (!post.contains(range.endContainer)) range.setEnd(post, post.childNodes.length)
  return selection.toString().trim()
}

// biome-ignore lint/performance/useDomNodeTextContent: unlike the text content, it knows where lines and paragraphs end
const linesOf = (post: HTMLElement | null) => post?.innerText.trim() ?? ''

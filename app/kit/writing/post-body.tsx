/** A post's text. app.css styles it, because its tags can't have classes. */
import { type PointerEvent, useEffect, useRef } from 'react'
import { useTrustedHtml } from '../ui/trusted.ts'

/** @param html safe, from the server */
export function PostBody({ html }: { html: string }) {
  const body = useRef<HTMLDivElement>(null)
  const markup = useTrustedHtml(html)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another text has other tables
  useEffect(() => {
    // Lets people scroll wide content with the keyboard, too.
    for (const wide of body.current?.querySelectorAll<HTMLElement>('pre, table') ?? [])
      if (wide.scrollWidth > wide.clientWidth) wide.tabIndex = 0
  }, [html])
  return (
    // biome-ignore lint/security/noDangerouslySetInnerHtml: the server lets only its own tags through
    <div ref={body} dir="auto" className="post-body" dangerouslySetInnerHTML={markup} />
  )
}

/** A new object each time, even for the same passage. */
export interface Quote {
  passage: string
}

/** Quotes a passage in Markdown, with room for the answer below. */
export function quoteOf(passage: string): string {
  const lines = passage
    .replace(/\r\n?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .split('\n')
  return `${lines.map((line) => `> ${line.trim()}`.trimEnd()).join('\n')}\n\n`
}

/** Appended as a paragraph of its own. */
export const withQuote = (body: string, passage: string) =>
  body.trim() === '' ? quoteOf(passage) : `${body.trimEnd()}\n\n${quoteOf(passage)}`

/** Quotes the selection within a post, or all of it. `post` goes on the post, `watch` on the parent of its button. */
export function usePassage() {
  const post = useRef<HTMLDivElement>(null)
  /** The selection from when a button was touched, because phones drop it then. */
  const touched = useRef('')
  return {
    post,
    watch: {
      onPointerDownCapture: ({ currentTarget, target }: PointerEvent) => {
        // A menu's items lie outside of its button's parent.
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

/** The selected text, without what's selected beyond the post. */
function selectedIn(post: HTMLElement | null): string {
  const selection = getSelection()
  if (!post || !selection || selection.isCollapsed || selection.rangeCount === 0) return ''
  const range = selection.getRangeAt(0)
  if (!range.intersectsNode(post)) return ''
  // A triple click selects a paragraph and the beginning of what follows.
  if (!post.contains(range.startContainer)) range.setStart(post, 0)
  if (!post.contains(range.endContainer)) range.setEnd(post, post.childNodes.length)
  return selection.toString().trim()
}

// biome-ignore lint/performance/useDomNodeTextContent: unlike the text content, it knows where lines and paragraphs end
const linesOf = (post: HTMLElement | null) => post?.innerText.trim() ?? ''

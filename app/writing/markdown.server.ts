/** What is stored with a post: its HTML, and a line of it for lists. */
import { type MarkdownHtml, markdownHtml } from './markdown.ts'
import { excerptOf } from './text.ts'

export interface RenderedMarkdown extends MarkdownHtml {
  /** One plain line of text: not HTML. */
  excerpt: string
}

/** @param text as `cleanText` leaves it */
export const renderMarkdown = (text: string): RenderedMarkdown => ({
  ...markdownHtml(text),
  excerpt: excerptOf(text),
})

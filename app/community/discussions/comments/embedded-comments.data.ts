/**
 * The page already has the comments' HTML, so the embedded data leaves it out and the browser reads
 * it from the page. That saves a quarter of a long thread. The data also leaves out what most
 * comments have in common.
 */

import type { InfiniteData, QueryKey } from '@tanstack/react-query'
import type { Comment } from '../discussion.contract.ts'
import { commentsKey } from '../discussion.ts'
import { visibleRows } from './comment-branches.ts'

const USUAL = {
  parentId: null,
  depth: 0,
  isOp: false,
  isEdited: false,
  isDeleted: false,
  replies: 0,
  removal: null,
} satisfies Partial<Comment>

type Sent = Omit<Comment, 'html' | keyof typeof USUAL> & Partial<Comment>
type Pages<Each> = InfiniteData<{ comments: Each[]; next: string | null }>

const isOfComments = (key: QueryKey) => key[0] === commentsKey('')[0]

/** A response to embed in the page. Comments that are too deep for the page keep their text. */
export function withoutCommentHtml(key: QueryKey, answer: unknown): unknown {
  if (!isOfComments(key)) return answer
  const { pages, ...rest } = answer as Pages<Comment>
  const all = pages.flatMap(({ comments }) => comments)
  const shown = new Set(visibleRows(all, new Set()).map(({ comment }) => comment))
  const sent = ({ html, ...comment }: Comment) =>
    Object.fromEntries(
      Object.entries(comment).filter(
        ([name, value]) => value !== (USUAL as Partial<Comment>)[name as keyof Comment],
      ),
    ) as unknown as Sent
  return {
    ...rest,
    pages: pages.map((page) => ({
      ...page,
      comments: page.comments.map((comment) => (shown.has(comment) ? sent(comment) : comment)),
    })),
  } satisfies Pages<Sent>
}

/** Restores the whole response. @param page that embeds it, before anything in it changes */
export function withCommentHtml(
  key: QueryKey,
  answer: unknown,
  page: Pick<Document, 'getElementById'>,
): unknown {
  if (!isOfComments(key)) return answer
  const { pages, ...rest } = answer as Pages<Sent>
  const htmlOf = (id: string) =>
    page.getElementById(`comment-${id}`)?.querySelector('.post-body')?.innerHTML
  return {
    ...rest,
    pages: pages.map(({ comments, ...more }) => ({
      ...more,
      comments: comments.map((comment) => ({
        ...USUAL,
        ...comment,
        html: comment.html ?? htmlOf(comment.id) ?? '',
      })),
    })),
  } satisfies Pages<Comment>
}

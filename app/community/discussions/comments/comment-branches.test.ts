import { expect, test } from 'vitest'
import { withComment, withoutComment, withStub } from '../discussion-actions.data.ts'
import { DEEPEST, visibleRows } from './comment-branches.ts'

const leaf = (id: string, parentId: string | null, depth: number, replies: number) => ({
  id,
  parentId,
  depth,
  replies,
})
const thread = [
  leaf('a', null, 0, 3),
  leaf('b', 'a', 1, 1),
  leaf('c', 'b', 2, 0),
  leaf('d', 'a', 1, 0),
  leaf('e', null, 0, 0),
]
const shown = (collapsed: string[], comments = thread) =>
  visibleRows(comments, new Set(collapsed)).map(({ comment, level }) => `${comment.id}${level}`)

test('a collapsed branch hides all that follows below it, and nothing else', () => {
  expect(shown([])).toEqual(['a0', 'b1', 'c2', 'd1', 'e0'])
  expect(shown(['b'])).toEqual(['a0', 'b1', 'd1', 'e0'])
  expect(shown(['a'])).toEqual(['a0', 'e0'])
  // One that is collapsed within a collapsed one stays hidden.
  expect(shown(['a', 'b'])).toEqual(['a0', 'e0'])
})

test('a branch shown alone starts without indentation', () => {
  expect(shown([], thread.slice(1, 3))).toEqual(['b0', 'c1'])
})

test('comments below the deepest level are on their own page', () => {
  const chain = Array.from({ length: 9 }, (_, depth) =>
    leaf(`c${depth}`, depth === 0 ? null : `c${depth - 1}`, depth, 8 - depth),
  )
  expect(visibleRows(chain, new Set())).toHaveLength(DEEPEST + 1)
})

test('a new reply is right below its comment and counts in every comment above', () => {
  const next = withComment(thread, leaf('new', 'b', 2, 0))
  expect(next.map(({ id }) => id)).toEqual(['a', 'b', 'new', 'c', 'd', 'e'])
  expect(next.map(({ replies }) => replies)).toEqual([4, 2, 0, 0, 0, 0])
})

test('a new comment on the thread comes first, once, and only where it belongs', () => {
  const next = withComment(thread, leaf('new', null, 0, 0))
  expect(next[0]?.id).toBe('new')
  expect(withComment(next, leaf('new', null, 0, 0))).toHaveLength(6)
  expect(withComment(thread, leaf('new', 'elsewhere', 4, 0))).toEqual(thread)
})

test('a deleted comment doesn’t count anymore', () => {
  const next = withoutComment(thread, 'c')
  expect(next.map(({ id }) => id)).toEqual(['a', 'b', 'd', 'e'])
  expect(next.map(({ replies }) => replies)).toEqual([2, 0, 0, 0])
  expect(withoutComment(thread, 'nobody')).toEqual(thread)
})

test('a deleted comment with replies keeps its place but doesn’t count anymore', () => {
  const next = withStub(thread, 'b', (leaf) => leaf)
  expect(next.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(next.map(({ replies }) => replies)).toEqual([2, 1, 0, 0, 0])
})

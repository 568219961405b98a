/** Dana changes a comment of hers, here and elsewhere. */
import { describe, expect, test } from 'vitest'
import { beginEdit, type Edit, isUnseen, restoreEdit, withTheirs } from './edit-draft.data.ts'

interface Text {
  body: string
  topics: string[]
}
const text = (body: string): Text => ({ body, topics: [] })
const isSame = (one: Text, other: Text) => one.body === other.body
const typed = (edit: Edit<Text>, body: string) => ({ ...edit, text: text(body) })

const LIFT = text('The lift is slow')
const STAIRS = text('The stairs are locked')

describe('edits elsewhere', () => {
  test('an edit elsewhere shows in an untouched form', () => {
    const edit = withTheirs(beginEdit(LIFT), STAIRS, isSame)
    expect(edit).toEqual(beginEdit(STAIRS))
    expect(isUnseen(edit, isSame)).toBe(false)
  })

  test('an edit elsewhere doesn’t overwrite dana’s typing, and asks her', () => {
    const edit = withTheirs(typed(beginEdit(LIFT), 'The lift is fast'), STAIRS, isSame)
    expect(edit.text.body).toBe('The lift is fast')
    expect(isUnseen(edit, isSame)).toBe(true)
  })

  test('an edit elsewhere with the same text asks nothing', () => {
    const edit = withTheirs(typed(beginEdit(LIFT), STAIRS.body), STAIRS, isSame)
    expect(isUnseen(edit, isSame)).toBe(false)
  })
})

describe('a draft of an edit', () => {
  test('a draft needs no question if its text hasn’t changed since', () => {
    const edit = restoreEdit(LIFT, { ...text('The lift is fast'), seen: LIFT })
    expect(edit.text.body).toBe('The lift is fast')
    expect(isUnseen(edit, isSame)).toBe(false)
  })

  test('a draft needs a question if its text has changed since', () => {
    const edit = restoreEdit(STAIRS, { ...text('The lift is fast'), seen: LIFT })
    expect(edit).toEqual({ text: text('The lift is fast'), seen: LIFT, theirs: STAIRS })
    expect(isUnseen(edit, isSame)).toBe(true)
  })

  test('a draft has exactly the text’s own fields', () => {
    const stored = { body: 'The lift is fast', title: 'For the list' } as Partial<Text>
    expect(restoreEdit({ body: 'Old', topics: ['pay'] }, stored)).toEqual({
      text: { body: 'The lift is fast', topics: ['pay'] },
      seen: { body: 'Old', topics: ['pay'] },
      theirs: { body: 'Old', topics: ['pay'] },
    })
  })
})

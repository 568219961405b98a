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

describe('what changed elsewhere meanwhile', () => {
  test('shows in a form that nobody touched', () => {
    const edit = withTheirs(beginEdit(LIFT), STAIRS, isSame)
    expect(edit).toEqual(beginEdit(STAIRS))
    expect(isUnseen(edit, isSame)).toBe(false)
  })

  test('is not written over: what is typed stays, and the person is asked', () => {
    const edit = withTheirs(typed(beginEdit(LIFT), 'The lift is fast'), STAIRS, isSame)
    expect(edit.text.body).toBe('The lift is fast')
    expect(isUnseen(edit, isSame)).toBe(true)
  })

  test('is no question where both say the same', () => {
    const edit = withTheirs(typed(beginEdit(LIFT), STAIRS.body), STAIRS, isSame)
    expect(isUnseen(edit, isSame)).toBe(false)
  })
})

describe('a draft that comes back', () => {
  test('to the text that it began with needs no question', () => {
    const edit = restoreEdit(LIFT, { ...text('The lift is fast'), seen: LIFT })
    expect(edit.text.body).toBe('The lift is fast')
    expect(isUnseen(edit, isSame)).toBe(false)
  })

  test('to another text is asked about', () => {
    const edit = restoreEdit(STAIRS, { ...text('The lift is fast'), seen: LIFT })
    expect(edit).toEqual({ text: text('The lift is fast'), seen: LIFT, theirs: STAIRS })
    expect(isUnseen(edit, isSame)).toBe(true)
  })

  test('holds nothing but what the text has, and lacks nothing of it', () => {
    const stored = { body: 'The lift is fast', title: 'For the list' } as Partial<Text>
    expect(restoreEdit({ body: 'Old', topics: ['pay'] }, stored)).toEqual({
      text: { body: 'The lift is fast', topics: ['pay'] },
      seen: { body: 'Old', topics: ['pay'] },
      theirs: { body: 'Old', topics: ['pay'] },
    })
  })
})

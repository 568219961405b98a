import { expect, test } from 'vitest'
import { changeOf, editText, type TextEdit } from './text-edit.ts'

/** Reads a text whose selection is marked by [ and ]; a | is a selection of nothing. */
function marked(given: string) {
  const text = given.replace(/[[\]|]/g, '')
  const start = given.search(/[[|]/)
  const end = given.includes('|') ? start : given.indexOf(']') - 1
  return { text, start, end }
}
const after = (given: string, edit: TextEdit) => {
  const { text, start, end } = editText(marked(given), edit)
  return `${text.slice(0, start)}‹${text.slice(start, end)}›${text.slice(end)}`
}

test('bold and italic go around the selection, and come off again', () => {
  expect(after('say [it] kindly', 'bold')).toBe('say **‹it›** kindly')
  expect(after('say **[it]** kindly', 'bold')).toBe('say ‹it› kindly')
  expect(after('say [**it**] kindly', 'bold')).toBe('say ‹it› kindly')
  expect(after('say [it] kindly', 'italic')).toBe('say _‹it›_ kindly')
})

test('a button without a selection leaves a placeholder to overwrite', () => {
  expect(after('say |', 'bold')).toBe('say **‹bold text›**')
  expect(after('|', 'code')).toBe('`‹code›`')
})

test('code of several lines gets a fence on its own lines', () => {
  expect(after('see [a\nb] here', 'code')).toBe('see \n```\n‹a\nb›\n```\n here')
})

test('quotes and lists begin whole lines, and end again', () => {
  expect(after('o[ne\ntw]o', 'quote')).toBe('‹> one\n> two›')
  expect(after('> o[ne\n> tw]o', 'quote')).toBe('‹one\ntwo›')
  expect(after('|', 'list')).toBe('- ‹›')
})

test('a list after a paragraph gets a blank line', () => {
  expect(after('first\n[one\ntwo]', 'list')).toBe('first\n\n‹- one\n- two›')
  expect(after('first\n\n[one]', 'list')).toBe('first\n\n‹- one›')
})

test('a selected address becomes the link, and selected words its text', () => {
  expect(after('[https://example.com/a]', 'link').replace(/[‹›]/g, '')).toBe(
    '[link text](https://example.com/a)',
  )
  expect(editText({ text: 'see this', start: 4, end: 8 }, 'link')).toEqual({
    text: 'see [this](https://)',
    start: 11,
    end: 19,
  })
})

test('a change is the smallest part that differs', () => {
  expect(changeOf('say it', 'say **it**')).toEqual({ start: 4, end: 6, text: '**it**' })
  expect(changeOf('aa', 'aaa')).toEqual({ start: 2, end: 2, text: 'a' })
  expect(changeOf('same', 'same')).toEqual({ start: 4, end: 4, text: '' })
})

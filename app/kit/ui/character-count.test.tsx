/** Limits are told in the same words, whatever the box. */
import { expect, test } from 'vitest'
import { rendered } from '#tests/support/rendered.tsx'
import { MarkdownEditor } from '../writing/markdown-editor.tsx'
import { CharacterCount, TextArea, TextField } from './field.tsx'

const told = (length: number, max: number) =>
  rendered(<CharacterCount limit={{ length, max }} />).replace(/<[^>]+>/g, '')

test.each([
  [0, 300, ''],
  [149, 300, ''],
  [150, 300, '150 of 300 characters'],
  [5_000, 5_000, '5,000 of 5,000 characters'],
  [301, 300, '1 character too many'],
  [6_200, 5_000, '1,200 characters too many'],
])('the counter at %i of %i characters says: %s', (length, max, text) => {
  expect(told(length, max)).toBe(text)
})

test('a line, a box and an editor count alike, and a screen reader hears it with the field', () => {
  const text = 'x'.repeat(12)
  const limit = { length: text.length, max: 10 }
  const fields = [
    <TextField key="line" label="Title" limit={limit} value={text} readOnly />,
    <TextArea key="box" label="Note" limit={limit} value={text} readOnly />,
    <MarkdownEditor key="editor" label="Text" max={10} value={text} onChange={() => {}} />,
  ]
  for (const field of fields) {
    const html = rendered(field)
    const [, id] = /<p id="([^"]+)"[^>]*>2 characters too many</.exec(html) ?? []
    expect(id).toBeTruthy()
    expect(html).toContain(`aria-describedby="${id}"`)
  }
})

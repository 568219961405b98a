import { expect, test } from 'vitest'
import type { KeyPress } from '#app/kit/ui/list-keys.ts'
import { opensFinder } from './finder.data.ts'

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  repeat: false,
  isComposing: false,
  ...held,
})

test.each([
  ['Ctrl-K on a PC', press('k', { ctrlKey: true }), false, false, true],
  ['… also while typing', press('k', { ctrlKey: true }), false, true, true],
  ['… and with Caps Lock', press('K', { ctrlKey: true }), false, false, true],
  ['Cmd-K on a Mac', press('k', { metaKey: true }), true, true, true],
  ['Ctrl-K on a Mac cuts a line', press('k', { ctrlKey: true }), true, true, false],
  [
    'Ctrl-Shift-K is the browser’s',
    press('K', { ctrlKey: true, shiftKey: true }),
    false,
    false,
    false,
  ],
  ['AltGr is no Ctrl', press('k', { ctrlKey: true, altKey: true }), false, false, false],
  ['k alone is a letter', press('k'), false, false, false],
  ['"/" where nobody types', press('/'), false, false, true],
  ['… with Shift, as some keyboards need', press('/', { shiftKey: true }), false, false, true],
  ['… is typed where somebody types', press('/'), false, true, false],
  ['… and with Ctrl the browser’s', press('/', { ctrlKey: true }), false, false, false],
  ['Ctrl with another letter', press('Backspace', { ctrlKey: true }), false, false, false],
])('%s', (_, pressed, isMac, isTyping, opens) =>
  expect(opensFinder(pressed, isMac, isTyping)).toBe(opens),
)

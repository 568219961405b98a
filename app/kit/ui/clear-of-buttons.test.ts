import { expect, test } from 'vitest'
import { type Box, clearTop, isOver } from './clear-of-buttons.ts'

const box = (top: number, height: number, left = 0, width = 100): Box => ({
  top,
  bottom: top + height,
  left,
  right: left + width,
})

test('a toast keeps its place while there’s no button there', () => {
  expect(clearTop(box(78, 60), [], 800)).toBe(78)
  // The buttons are beside it, above it, or far below.
  expect(clearTop(box(78, 60), [box(80, 40, 300), box(10, 40), box(400, 40)], 800)).toBe(78)
})

test('a toast moves below the buttons it would cover, and further if the next ones begin there', () => {
  expect(clearTop(box(78, 60), [box(100, 40)], 800)).toBe(148)
  expect(clearTop(box(78, 60), [box(190, 40), box(100, 40)], 800)).toBe(238)
  // There's room between two rows.
  expect(clearTop(box(78, 60), [box(100, 40), box(230, 40)], 800)).toBe(148)
})

test('a screen can be full of buttons', () => {
  const rows = Array.from({ length: 20 }, (_, n) => box(80 + n * 50, 40))
  expect(clearTop(box(78, 60), rows, 800)).toBeUndefined()
})

test('a toast that only touches a button doesn’t cover it', () => {
  expect(isOver(box(0, 10), box(10, 10))).toBe(false)
  expect(isOver(box(0, 11), box(10, 10))).toBe(true)
})

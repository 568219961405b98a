import { describe, expect, test } from 'vitest'
import {
  COLUMN_NAMES,
  COLUMNS,
  companiesOf,
  inOrder,
  NEWEST_FIRST,
  pressed,
  ROW_HEIGHT,
  rowsInView,
} from './click-table.ts'

const click = (companyName: string, minute: number, userId = 'a', isMe = false) => ({
  companyId: companyName.toLowerCase(),
  companyName,
  userId,
  isMe,
  at: `2026-03-14T09:0${minute}:00Z`,
})
const CLICKS = [click('Beta', 3, 'b'), click('alpha', 2, 'c'), click('Beta', 1, 'z', true)]
const minutes = (clicks: { at: string }[]) => clicks.map(({ at }) => Number(at.slice(14, 16)))

test('Spec §2.13: the table has its columns', () => {
  expect(COLUMNS.map((column) => COLUMN_NAMES[column])).toEqual([
    'Date & Time',
    'Company',
    'User ID',
  ])
})

describe('order', () => {
  test('clicks are newest first until someone chooses another order, and can be reversed', () => {
    expect(minutes(inOrder(CLICKS, NEWEST_FIRST))).toEqual([3, 2, 1])
    const oldest = pressed(NEWEST_FIRST, 'at')
    expect(minutes(inOrder(CLICKS, oldest))).toEqual([1, 2, 3])
    expect(pressed(oldest, 'at')).toEqual(NEWEST_FIRST)
  })

  test('clicks are sorted by name in any case, and equal ones newest first', () => {
    const byName = pressed(NEWEST_FIRST, 'company')
    expect(minutes(inOrder(CLICKS, byName))).toEqual([2, 3, 1])
    expect(minutes(inOrder(CLICKS, pressed(byName, 'company')))).toEqual([3, 1, 2])
  })

  test('clicks sorted by user have one’s own first', () => {
    expect(minutes(inOrder(CLICKS, pressed(NEWEST_FIRST, 'user')))).toEqual([1, 3, 2])
  })

  test('sorting doesn’t change the list it’s given', () => {
    inOrder(CLICKS, pressed(NEWEST_FIRST, 'at'))
    expect(minutes(CLICKS)).toEqual([3, 2, 1])
  })
})

test('the companies are those of the clicks, the most clicked first', () => {
  expect(companiesOf(CLICKS)).toEqual([
    { id: 'beta', name: 'Beta', clicks: 2 },
    { id: 'alpha', name: 'alpha', clicks: 1 },
  ])
  expect(companiesOf([])).toEqual([])
})

describe('the rows that are drawn', () => {
  test('the table draws the rows in 600 px and some around, of a thousand', () => {
    const { first, end } = rowsInView(500 * ROW_HEIGHT, 1000)
    expect(first).toBeLessThan(500)
    expect(end).toBeGreaterThanOrEqual(500 + 600 / ROW_HEIGHT)
    expect(end - first).toBeLessThan(50)
  })

  test.each([
    [0, 0],
    [-50, 3],
    [0, 3],
    [1e9, 1000],
    [1e9, 3],
  ])('the table draws existing rows only, at %i px of %i rows', (scrollTop, rows) => {
    const { first, end } = rowsInView(scrollTop, rows)
    expect(first).toBeGreaterThanOrEqual(0)
    expect(end).toBe(Math.min(end, rows))
    expect(first).toBeLessThanOrEqual(end)
  })

  test('the table reaches its last row at the end', () => {
    expect(rowsInView(1000 * ROW_HEIGHT - 600, 1000).end).toBe(1000)
  })
})

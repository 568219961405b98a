import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import {
  afterCursor,
  momentForm,
  monthForm,
  type Order,
  readCursor,
  writeCursor,
} from './keyset.server.ts'

const id = '00000000-0000-4000-8000-00000000da4a'

test('a page marker is read as it was written', () => {
  const moments = ['2026-03-14 09:26:53+00', '2024-02-29 23:59:59.123456+00']
  for (const value of moments)
    expect(
      readCursor(writeCursor({ order: 'newest', value, id }), 'newest', momentForm),
    ).toStrictEqual({ order: 'newest', value, id })
  expect(monthForm.test('2026-03-01')).toBe(true)
})

test('an impossible date is refused before it reaches the database', () => {
  for (const value of [
    '2026-99-99 99:99:99+00',
    '2026-02-30 09:26:53+00',
    '2026-03-14 24:00:00+00',
    '2026-03-14 09:26:60+00',
    '0000-01-01 00:00:00+00',
    '2026-03-14',
    '2026-03-14 09:26:53+01',
  ])
    expect(readCursor(writeCursor({ order: 'newest', value, id }), 'newest', momentForm)).toBe(
      undefined,
    )
  for (const value of ['2026-99-01', '2026-00-01', '0000-01-01', '2026-03-02'])
    expect(monthForm.test(value)).toBe(false)
})

test('a page marker that’s incomplete, altered or from another list is refused', () => {
  const good = { order: 'newest', value: '2026-03-14 09:26:53+00', id }
  const read = (text: string) => readCursor(text, 'newest', momentForm)
  const packed = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  expect(read(writeCursor(good))).toEqual(good)
  for (const text of ['', 'x', writeCursor(good).slice(0, -4), packed({}), packed(['newest'])])
    expect(read(text)).toBe(undefined)
  for (const other of [
    { ...good, order: 'oldest' },
    { ...good, value: `${good.value}x` },
    { ...good, value: `x${good.value}` },
    { ...good, value: good.value.replace('53+00', '53.1234567+00') },
    { ...good, id: id.slice(1) },
    { ...good, id: `${id}0` },
    { ...good, id: `0${id}` },
    { ...good, id: id.toUpperCase() },
  ])
    expect(read(writeCursor(other))).toBe(undefined)
  expect(readCursor(packed(['newest', ['a'], id]), 'newest', { test: () => true })).toBe(undefined)
  for (const value of ['x2026-03-01', '2026-03-01x', '12026-03-01', '2026-03'])
    expect(monthForm.test(value)).toBe(false)
})

test('a list continues after its marker in both directions and refuses another list’s', () => {
  const order: Order = {
    name: 'by age',
    column: sql`c.age`,
    id: sql`c.id`,
    cast: sql`integer`,
    form: /^\d+$/,
  }
  const after = writeCursor({ order: 'by age', value: '7', id })
  const next = afterCursor(after, order)
  expect(next.text).toMatch(/^\(c\.age, c\.id\) <\s+\(\$1::integer, \$2::uuid\)$/)
  expect(next.values).toEqual(['7', id])
  expect(afterCursor(after, { ...order, isAscending: true }).text).toContain('(c.age, c.id) >')
  expect(() => afterCursor(after, { ...order, name: 'by name' })).toThrow('from a different list')
})

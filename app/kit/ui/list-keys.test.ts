import { expect, test } from 'vitest'
import { inheritorOf, stepFrom } from './list-keys.ts'

const LIST = ['a', 'b', 'c', 'd']

test('a step moves on, and stays at the ends', () => {
  expect(stepFrom(LIST, 'b', 1)).toBe('c')
  expect(stepFrom(LIST, 'b', -1)).toBe('a')
  expect(stepFrom(LIST, 'd', 1)).toBe('d')
  expect(stepFrom(LIST, 'a', -1)).toBe('a')
})

test('the first step comes from outside the list', () => {
  expect(stepFrom(LIST, undefined, 1)).toBe('a')
  expect(stepFrom(LIST, undefined, -1)).toBe('d')
  expect(stepFrom([], undefined, 1)).toBeUndefined()
})

test('the next case is selected after a decision', () => {
  expect(inheritorOf(LIST, ['a', 'c', 'd'], 'b')).toBe('c')
})

test('the case before is selected after the last one', () => {
  expect(inheritorOf(LIST, ['a', 'b', 'c'], 'd')).toBe('c')
})

test('the nearest remaining case is selected if others decided, too', () => {
  expect(inheritorOf(LIST, ['a', 'd'], 'b')).toBe('d')
  expect(inheritorOf(LIST, ['a'], 'c')).toBe('a')
  expect(inheritorOf(LIST, ['x', 'y'], 'b')).toBe('x')
})

test('a selected case stays so wherever it moves', () => {
  expect(inheritorOf(LIST, ['b', 'x', 'a'], 'b')).toBe('b')
})

test('an empty list selects nothing', () => {
  expect(inheritorOf(LIST, ['a'], undefined)).toBeUndefined()
  expect(inheritorOf(['a'], [], 'a')).toBeUndefined()
})

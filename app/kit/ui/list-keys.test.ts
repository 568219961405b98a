import { expect, test } from 'vitest'
import { inheritorOf, stepFrom } from './list-keys.ts'

const LIST = ['a', 'b', 'c', 'd']

test('a step goes on, and stays at the ends', () => {
  expect(stepFrom(LIST, 'b', 1)).toBe('c')
  expect(stepFrom(LIST, 'b', -1)).toBe('a')
  expect(stepFrom(LIST, 'd', 1)).toBe('d')
  expect(stepFrom(LIST, 'a', -1)).toBe('a')
})

test('the first step comes from outside of the list', () => {
  expect(stepFrom(LIST, undefined, 1)).toBe('a')
  expect(stepFrom(LIST, undefined, -1)).toBe('d')
  expect(stepFrom([], undefined, 1)).toBeUndefined()
})

test('after a decision the next one is selected', () => {
  expect(inheritorOf(LIST, ['a', 'c', 'd'], 'b')).toBe('c')
})

test('after the last one it is the one before', () => {
  expect(inheritorOf(LIST, ['a', 'b', 'c'], 'd')).toBe('c')
})

test('when others decided too, it is the nearest that is left', () => {
  expect(inheritorOf(LIST, ['a', 'd'], 'b')).toBe('d')
  expect(inheritorOf(LIST, ['a'], 'c')).toBe('a')
  expect(inheritorOf(LIST, ['x', 'y'], 'b')).toBe('x')
})

test('what is selected stays so wherever it moves', () => {
  expect(inheritorOf(LIST, ['b', 'x', 'a'], 'b')).toBe('b')
})

test('nobody inherits nothing', () => {
  expect(inheritorOf(LIST, ['a'], undefined)).toBeUndefined()
  expect(inheritorOf(['a'], [], 'a')).toBeUndefined()
})

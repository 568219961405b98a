import { expect, test } from 'vitest'
import { partsAround } from './combobox.tsx'

test('the emphasized match keeps the name’s case, not the search’s', () => {
  expect(partsAround('Northwind Tea', 'WIND')).toEqual(['North', 'wind', ' Tea'])
  expect(partsAround('Acme', 'ac ')).toEqual(['', 'Ac', 'me'])
})

test('a name without a match has no emphasis', () => {
  expect(partsAround('Acme', 'zeta')).toBeUndefined()
  expect(partsAround('Acme', ' ')).toBeUndefined()
})

test('letters that change length with their case don’t shift the emphasis', () => {
  expect(partsAround('İstanbul Tea', 'tea')).toBeUndefined()
})

import { expect, test } from 'vitest'
import { partsAround } from './combobox.tsx'

test('the found part keeps the case of the name, not of the search', () => {
  expect(partsAround('Northwind Tea', 'WIND')).toEqual(['North', 'wind', ' Tea'])
  expect(partsAround('Acme', 'ac ')).toEqual(['', 'Ac', 'me'])
})

test('what is not in the name sets off nothing', () => {
  expect(partsAround('Acme', 'zeta')).toBeUndefined()
  expect(partsAround('Acme', ' ')).toBeUndefined()
})

test('letters that change length with their case cannot shift the emphasis', () => {
  expect(partsAround('İstanbul Tea', 'tea')).toBeUndefined()
})

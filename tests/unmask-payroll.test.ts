/** What an employer with its payroll learns from a year of published pay, and from six leaks. */
import { expect, test } from 'vitest'
import { attackByPayroll } from './unmask/payroll.ts'

test('the payroll attack stays in its bound, and finds all six planted leaks', () => {
  const { verdicts, plants } = attackByPayroll(120, 3)
  for (const verdict of verdicts) expect(verdict).toMatchObject({ passes: true })
  expect(plants).toHaveLength(6)
  for (const plant of plants) expect(plant).toMatchObject({ isClean: true, caught: true })
})

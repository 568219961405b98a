import { expect, test } from 'vitest'
import { wantedPay } from './wanted-pay.ts'

test.each([
  ['nurse berlin', 'nurse', 'DE/berlin', 'Nurse in Berlin, Germany'],
  ['berlin nurse', 'nurse', 'DE/berlin', 'Nurse in Berlin, Germany'],
  ['what would i as a nurse in zurich', 'nurse', 'CH/zurich', 'Nurse in Zürich, Switzerland'],
  [
    'senior software developer san francisco bay area',
    'software-engineer',
    'US/san-francisco-bay-area',
    undefined,
  ],
  ['nurs', 'nurse', undefined, 'Nurse'],
  ['data analyst', 'data-analyst', undefined, 'Data analyst'],
])('“%s” asks what this title earns, and where', (typed, title, area, name) => {
  const wanted = wantedPay(typed.split(' '))
  expect(wanted).toMatchObject({ title, ...(area && { area }), ...(name && { name }) })
  if (!area) expect(wanted).not.toHaveProperty('area')
})

test.each(['', 'berlin', 'lampwright', 'nurse lampwright', 'the'])(
  '“%s” names no title alone, so it may be a company’s name',
  (typed) => expect(wantedPay(typed.split(' ').filter(Boolean))).toBeNull(),
)

import { expect, test } from 'vitest'
import { csvText } from './csv.server.ts'

test('cells are quoted where they must be, rows end with CRLF', () => {
  expect(
    csvText([
      ['day', 'company'],
      [1, 'A, "B" & C'],
      ['a\nb', ''],
    ]),
  ).toBe('day,company\r\n1,"A, ""B"" & C"\r\n"a\nb",\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '-', '＝1'])(
  'nothing is calculated: %j',
  (words) => {
    expect(csvText([[words]]).replace(/^"/, '')).toMatch(/^'/)
  },
)

test('what is no formula stays as it is, and numbers are numbers', () => {
  expect(csvText([['A-1 = B', 'é', -5, 2.5]])).toBe('A-1 = B,é,-5,2.5\r\n')
})

import { expect, test } from 'vitest'
import { csvText } from './csv.server.ts'

test('a cell is quoted if needed, and rows end with CRLF', () => {
  expect(
    csvText([
      ['day', 'company'],
      [1, 'A, "B" & C'],
      ['a\nb', ''],
    ]),
  ).toBe('day,company\r\n1,"A, ""B"" & C"\r\n"a\nb",\r\n')
})

test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =1', '\n=1', '-', '＝1'])(
  'a spreadsheet calculates nothing of %j',
  (words) => {
    expect(csvText([[words]]).replace(/^"/, '')).toMatch(/^'/)
  },
)

test('text that’s no formula stays as it is, and numbers are numbers', () => {
  expect(csvText([['A-1 = B', 'é', -5, 2.5]])).toBe('A-1 = B,é,-5,2.5\r\n')
})

import { expect, test } from 'vitest'
import { repeatedField } from './request-body.server.ts'

test.each([
  ['{"a":1,"b":{"a":1},"c":[{"a":1},{"a":"\\"a\\":"}]}', undefined],
  ['["a","a",{"a":"a"}]', undefined],
  ['{"a":":","b" : "\\\\","c":"{"}', undefined],
  ['"a"', undefined],
  ['{"a":1,"a":1}', 'a'],
  ['{"a":{"b":1},\n "a"\t: 2}', 'a'],
  ['{"x":[{"y":1,"\\u0079":2}]}', 'y'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
  ['{"":1,"":2}', ''],
])('%s says %s twice', (json, name) => {
  expect(() => JSON.parse(json)).not.toThrow()
  expect(repeatedField(json)).toBe(name)
})

test('a long text, and one of many brackets, take no time', () => {
  const before = process.cpuUsage()
  for (const json of [
    `{"a":"${'\\"'.repeat(100_000)}"}`,
    `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
    `["a"${' '.repeat(200_000)}]`,
  ])
    expect(repeatedField(json)).toBeUndefined()
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(500)
})

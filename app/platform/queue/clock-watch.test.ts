import { expect, test } from 'vitest'
import { createClockWatch } from './clock-watch.server.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

function watched() {
  const clock = { wall: 1_774_000_000_000, steady: 5_000 }
  const isSteady = createClockWatch({ wall: () => clock.wall, steady: () => clock.steady })
  const pass = (ms: number) => {
    clock.wall += ms
    clock.steady += ms
  }
  const jump = (ms: number) => {
    clock.wall += ms
  }
  return { isSteady, pass, jump }
}

test('a clock that’s set by seconds, again and again, is believed', () => {
  const { isSteady, pass, jump } = watched()
  for (let i = 0; i < 20; i++) {
    pass(MINUTE)
    jump(30_000)
    expect(isSteady()).toBe(true)
  }
})

test('a clock that’s 40 days ahead for some seconds isn’t believed, and then it is again', () => {
  const { isSteady, pass, jump } = watched()
  jump(40 * DAY)
  expect(isSteady()).toBe(false)
  pass(8_000)
  expect(isSteady()).toBe(false)
  jump(-40 * DAY)
  expect(isSteady()).toBe(true)
})

test('a new time that lasts ten minutes is believed, because the machine slept', () => {
  const { isSteady, pass, jump } = watched()
  jump(3 * DAY)
  expect(isSteady()).toBe(false)
  pass(9 * MINUTE)
  expect(isSteady()).toBe(false)
  pass(MINUTE)
  expect(isSteady()).toBe(true)
  // Each jump restarts the wait.
  jump(-DAY)
  expect(isSteady()).toBe(false)
  pass(9 * MINUTE)
  jump(-DAY)
  expect(isSteady()).toBe(false)
  pass(9 * MINUTE)
  expect(isSteady()).toBe(false)
})

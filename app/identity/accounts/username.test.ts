import { describe, expect, test } from 'vitest'
import { generateUsername, MOODS, NOUNS, USERNAME_NUMBER, usernameProblem } from './username.ts'

describe('a username', () => {
  test.each(['dana', 'Dana_92', 'tea-pot', 'abc', 'a'.repeat(24), 'CandidTeapot4711', '007'])(
    'the username %s is valid',
    (username) => {
      expect(usernameProblem(username)).toBeUndefined()
    },
  )

  test.each([
    ['', 'A username needs 3 to 24 characters'],
    ['ab', 'A username needs 3 to 24 characters'],
    ['a'.repeat(25), 'A username needs 3 to 24 characters'],
    ['da na', 'A username can only have letters, digits, "_" and "-"'],
    ['dana@work', 'A username can only have letters, digits, "_" and "-"'],
    ['dänä', 'A username can only have letters, digits, "_" and "-"'],
    ['___', 'A username needs a letter or a digit'],
    ['admin', 'This username is reserved'],
    ['Kettle-Team', 'This username is reserved'],
    ['A_n_o_n_y_m_o_u_s', 'This username is reserved'],
  ])('the username %j is invalid: %s', (username, problem) => {
    expect(usernameProblem(username)).toBe(problem)
  })
})

describe('Spec §5, §9: a generated username', () => {
  test('a generated username has one of about 30 moods and about 41 nouns', () => {
    expect(MOODS).toHaveLength(30)
    expect(NOUNS).toHaveLength(41)
    expect(new Set(MOODS).size).toBe(30)
    expect(new Set(NOUNS).size).toBe(41)
  })

  test('a generated username ends with a number from 100 to 9999', () => {
    expect(USERNAME_NUMBER).toEqual({ min: 100, max: 9999 })
    expect(generateUsername(() => 0)).toBe('BrewingTeapot100')
    expect(generateUsername(() => 0.999_999_9)).toBe('WistfulCardigan9999')
  })

  test('a generated username is always valid', () => {
    const longest = (words: string[]) => words.reduce((a, b) => (b.length > a.length ? b : a))
    expect(usernameProblem(`${longest(MOODS)}${longest(NOUNS)}9999`)).toBeUndefined()
    for (const mood of MOODS)
      for (const noun of NOUNS) expect(usernameProblem(`${mood}${noun}100`)).toBeUndefined()
  })
})

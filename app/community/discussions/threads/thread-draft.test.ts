import { expect, test } from 'vitest'
import { newIdempotencyKey } from '#app/kit/forms/idempotency-key.ts'
import { sendingProblem } from '#app/kit/forms/refusal.ts'
import { isSameTitle } from '../posts/post-deletion.ts'
import {
  bodyProblem,
  emptyThread,
  isBlankThread,
  threadInput,
  titleProblem,
  toggleTopic,
} from './thread-draft.ts'

test('a title has 8 to 160 characters, not counting what surrounds it', () => {
  expect(titleProblem('  Too few  ')).toBe('A title needs at least 8 characters')
  expect(titleProblem('Enough..')).toBeUndefined()
  for (const enough of ['加班费', '야근 수당', 'ボーナス', 'โอที', 'الأجر', 'שכר נמוך'])
    expect(titleProblem(enough), enough).toBeUndefined()
  for (const short of ['加班', '연봉', 'パン', 'งาน', 'أجر'])
    expect(titleProblem(short), short).toBe('A title needs at least 8 characters')
  expect(titleProblem('x'.repeat(160))).toBeUndefined()
  expect(titleProblem('x'.repeat(161))).toBe('A title can have at most 160 characters')
  // As the database counts: an emoji is one character.
  expect(titleProblem(`x${'🫖'.repeat(159)}`)).toBeUndefined()
  expect(titleProblem(`x${'🫖'.repeat(160)}`)).toBe('A title can have at most 160 characters')
  expect(bodyProblem('x'.repeat(20_000))).toBeUndefined()
  expect(bodyProblem('x'.repeat(20_001))).toBe('The text can have at most 20,000 characters')
})

test('a sixth topic is ignored, and choosing one again removes it', () => {
  expect(toggleTopic(['a', 'b', 'c', 'd'], 'e')).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(toggleTopic(['a', 'b', 'c', 'd', 'e'], 'f')).toEqual(['a', 'b', 'c', 'd', 'e'])
  expect(toggleTopic(['a', 'b'], 'a')).toEqual(['b'])
})

test('a thread is blank until it has words, wherever they stand', () => {
  const empty = emptyThread('id')
  expect(isBlankThread({ ...empty, title: ' ', topics: ['pay'] })).toBe(true)
  expect(isBlankThread({ ...empty, body: 'x' })).toBe(false)
  const poll = { days: '7', options: [{ key: 0, text: 'Yes' }] }
  expect(isBlankThread({ ...empty, poll })).toBe(false)
})

test('the request names a company only if there is one', () => {
  const thread = { ...emptyThread('id'), title: ' On-call load ', body: ' as it was typed ' }
  expect(threadInput(thread, undefined)).toEqual({
    title: 'On-call load',
    body: ' as it was typed ',
    companyId: undefined,
    topics: [],
    poll: undefined,
    name: 'pseudonym',
    idempotencyKey: 'id',
  })
})

test('Spec §5: titles count as the same in any case', () => {
  expect(isSameTitle('Test post', ' TEST POST ')).toBe(true)
  expect(isSameTitle('Cafe\u0301', 'CAFÉ')).toBe(true)
  expect(isSameTitle('Test post', 'Test posts')).toBe(false)
})

test('every draft has its own v4 id', () => {
  const v4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  for (let i = 0; i < 50; i++) expect(newIdempotencyKey()).toMatch(v4)
  expect(newIdempotencyKey()).not.toBe(newIdempotencyKey())
})

test('a refusal shows its own sentence, and a lost network says that nothing is lost', () => {
  expect(sendingProblem({ status: 403, message: 'This thread is locked' })).toBe(
    'This thread is locked',
  )
  expect(sendingProblem(new TypeError('Failed to fetch'))).toMatch(/still here/)
  expect(sendingProblem({ status: 500, message: 'boom' })).not.toMatch(/boom/)
})

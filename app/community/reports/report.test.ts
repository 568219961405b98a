import { expect, test } from 'vitest'
import { stubText } from './report.ts'

test('a stub says why, and a held post only says that it’ll be reviewed', () => {
  expect(stubText({ state: 'removed', reason: 'spam' })).toBe(
    'Removed by a moderator: Spam or advertising',
  )
  expect(stubText({ state: 'held', reason: null })).toBe('Hidden until a moderator reviews it')
})

import { expect, test } from 'vitest'
import { postNames } from './post-names.ts'

test('dana’s two comments have names that a screen reader can tell apart, even when deleted', () => {
  const posts = [
    { id: 'a', name: 'Dana' },
    { id: 'b', name: undefined },
    { id: 'c', name: 'Erin' },
    { id: 'd', name: 'Dana' },
    { id: 'e', name: undefined },
  ]
  expect([...postNames('comment', posts).values()]).toEqual([
    'comment by Dana',
    'comment by someone',
    'comment by Erin',
    'comment 2 by Dana',
    'comment 2 by someone',
  ])
})

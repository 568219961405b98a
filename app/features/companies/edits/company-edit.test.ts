import { expect, test } from 'vitest'
import { comparePath, referencesIn, toggled } from '../comparison/comparison.ts'
import { tidyWebsite, websiteProblem } from '../web-address.ts'
import { draftOf, fieldsIn } from './company-draft.ts'
import { changesBetween, conflictsWith, tidyFields, turnedBack } from './company-edit.ts'
import { policyDifference, policyText, statedDays } from './company-policy.ts'
import { wordDiff } from './word-diff.ts'

const acme = {
  name: 'Acme',
  category: 'Tea',
  description: null,
  website: 'https://acme.com',
  policy: { mode: 'hybrid', days: 2, since: '2025-09', source: null } as const,
}

test('a form that nobody touched changes nothing', () => {
  expect(changesBetween(acme, tidyFields(fieldsIn(draftOf(acme))))).toEqual({})
  const bare = { ...acme, website: null, policy: null }
  expect(changesBetween(bare, tidyFields(fieldsIn(draftOf(bare))))).toEqual({})
})

test('changes name what stood there, conflict with anything else, and can be turned back', () => {
  const after = { ...acme, name: 'Acme Tea', policy: { ...acme.policy, days: 3 } }
  const changes = changesBetween(acme, after)
  expect(Object.keys(changes)).toEqual(['name', 'policy'])
  expect(conflictsWith(acme, changes)).toEqual([])
  expect(conflictsWith({ ...acme, name: 'Other' }, changes)).toEqual(['name'])
  expect(conflictsWith(after, turnedBack(changes))).toEqual([])
})

test('an address is completed, and must lead to the public web', () => {
  expect(tidyWebsite(' acme.com/about ')).toBe('https://acme.com/about')
  expect(tidyWebsite('http://acme.com')).toBe('http://acme.com')
  expect(tidyWebsite('  ')).toBeNull()
  for (const good of [
    'https://acme.com',
    'http://xn--bcher-kva.example/ä?b#c',
    'https://bücher.de',
  ])
    expect(websiteProblem(good, 'website')).toBeUndefined()
  for (const bad of ['https://acme', 'https://a.local', 'data:text/html,x', 'https://[::1]', 'x y'])
    expect(websiteProblem(bad, 'website')).toMatch(/website/)
})

test('what is said and what is done, in words', () => {
  const { policy } = acme
  expect(policyText(policy)).toBe('Hybrid, 2 days a week in the office')
  expect(policyText({ ...policy, days: 1, mode: 'office' })).toBe('In the office, 1 day a week')
  expect(statedDays({ ...policy, mode: 'remote', days: null })).toBe(0)
  expect(statedDays({ ...policy, mode: 'office', days: null })).toBe(5)
  expect(policyDifference(policy, { mean: 3.0714, ratings: 14 })).toBe(
    'Says 2 days a week; 14 raters spend 3.1',
  )
  expect(policyDifference({ ...policy, days: null }, { mean: 3, ratings: 5 })).toBe(
    'Does not say how many days; 5 raters spend 3',
  )
})

test('two texts differ word by word', () => {
  expect(wordDiff('Makes good kettles', 'Makes very good tea')).toEqual([
    { text: 'Makes ', kind: 'same' },
    { text: 'very ', kind: 'new' },
    { text: 'good ', kind: 'same' },
    { text: 'kettles', kind: 'gone' },
    { text: 'tea', kind: 'new' },
  ])
  const joined = wordDiff('a b c', 'c b a')
  const side = (out: 'gone' | 'new') =>
    joined
      .filter(({ kind }) => kind !== out)
      .map(({ text }) => text)
      .join('')
  expect([side('new'), side('gone')]).toEqual(['a b c', 'c b a'])
})

test('an address names up to four companies, each once', () => {
  expect(referencesIn(' a,B,,a,c,d,e')).toEqual(['a', 'b', 'c', 'd'])
  expect(referencesIn(null)).toEqual([])
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
  expect(toggled(['a', 'b', 'c', 'd'], 'e')).toEqual(['a', 'b', 'c', 'd'])
  expect(comparePath(['acme', '서울'])).toBe('/companies?compare=acme,%EC%84%9C%EC%9A%B8')
})

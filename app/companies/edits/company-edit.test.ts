import { expect, test } from 'vitest'
import { comparePath, referencesIn, toggled } from '../company.ts'
import { tidyWebsite, websiteProblem } from '../web-address.ts'
import { companyDraftOf, fieldsIn } from './company-draft.ts'
import {
  changesBetween,
  conflictsWith,
  editProblems,
  reversedChanges,
  tidyFields,
} from './company-edit.ts'
import { factText, NO_FACTS, placeText } from './company-facts.ts'
import { officeText, policyDifference, policyText, statedDays } from './company-policy.ts'
import { wordDiff } from './ui/change-list.tsx'

const acme = {
  name: 'Acme',
  category: 'Tea',
  description: null,
  website: 'https://acme.com',
  ...NO_FACTS,
  policy: { mode: 'hybrid', days: 2, since: '2025-09', source: null } as const,
}

test('an unchanged form changes nothing', () => {
  expect(changesBetween(acme, tidyFields(fieldsIn(companyDraftOf(acme))))).toEqual({})
  const bare = { ...acme, website: null, policy: null }
  expect(changesBetween(bare, tidyFields(fieldsIn(companyDraftOf(bare))))).toEqual({})
})

test('changes record the old value, conflict with any other, and can be undone', () => {
  const after = { ...acme, name: 'Acme Tea', policy: { ...acme.policy, days: 3 } }
  const changes = changesBetween(acme, after)
  expect(Object.keys(changes)).toEqual(['name', 'policy'])
  expect(conflictsWith(acme, changes)).toEqual([])
  expect(conflictsWith({ ...acme, name: 'Other' }, changes)).toEqual(['name'])
  expect(conflictsWith(after, reversedChanges(changes))).toEqual([])
})

test('facts are cleaned, and errors are listed by field', () => {
  const after = tidyFields({
    ...acme,
    aliases: [' Acme  Corp ', 'acme', 'ACME corp', ''],
    headquarters: ' Leuven ',
    country: 'BE',
    size: '51-200',
    founded: 1998,
    ticker: 'acm',
  })
  expect(after).toMatchObject({ aliases: ['Acme Corp'], headquarters: 'Leuven', ticker: 'ACM' })
  const changes = changesBetween(acme, after)
  expect(Object.values(editProblems(changes, '2026-11')).filter(Boolean)).toEqual([])
  expect(reversedChanges(changes).aliases).toEqual({ from: ['Acme Corp'], to: [] })
  expect(placeText(after)).toBe('Leuven, Belgium')
  expect(factText('size', after)).toBe('51 to 200 people')
  const wrong = {
    ...acme,
    aliases: Array.from({ length: 11 }, (_, n) => `Acme ${n}`),
    headquarters: 'x'.repeat(81),
    country: 'XX',
    founded: 2027,
    ticker: 'x'.repeat(21),
  }
  const problems = editProblems(changesBetween(acme, wrong), '2026-11')
  expect(Object.keys(problems).filter((field) => problems[field as 'name'])).toEqual([
    'aliases',
    'headquarters',
    'country',
    'founded',
    'ticker',
  ])
  expect(
    editProblems(changesBetween(acme, { ...acme, founded: Number.NaN }), '2026-11').founded,
  ).toMatch(/1998/)
})

test('a website’s address is completed, and has to lead to the public web', () => {
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

test('changes are described in words', () => {
  const { policy } = acme
  expect(policyText(policy)).toBe('Hybrid, 2 days a week in the office')
  expect(policyText({ ...policy, days: 1, mode: 'office' })).toBe('In the office, 1 day a week')
  expect(statedDays({ ...policy, mode: 'remote', days: null })).toBe(0)
  expect(statedDays({ ...policy, mode: 'office', days: null })).toBe(5)
  expect(policyDifference(policy, { mean: 3.0714, ratings: 14 })).toBe(
    'Says 2 days a week. 14 raters report 3.1',
  )
  expect(policyDifference({ ...policy, days: null }, { mean: 3, ratings: 5 })).toBe(
    'Doesn’t say how many days. 5 raters report 3',
  )
  const actual = { mean: 3.62, ratings: 19 }
  expect(officeText(policy, actual)).toBe('Says 2 days, 19 people say 3.6')
  expect(officeText({ ...policy, days: null }, actual)).toBe('Says hybrid, 19 people say 3.6')
  expect(officeText({ ...policy, mode: 'remote', days: null }, actual)).toBe(
    'Says remote, 19 people say 3.6',
  )
  expect(officeText(null, actual)).toBe('19 people say they go in 3.6 days a week')
  expect(officeText(policy, null)).toBe('Hybrid, 2 days a week in the office')
  expect(officeText(null, null)).toBeUndefined()
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

test('a compare address names up to four companies, each once', () => {
  expect(referencesIn(' a,B,,a,c,d,e')).toEqual(['a', 'b', 'c', 'd'])
  expect(referencesIn(null)).toEqual([])
  expect(toggled(['a'], 'b')).toEqual(['a', 'b'])
  expect(toggled(['a', 'b'], 'a')).toEqual(['b'])
  expect(toggled(['a', 'b', 'c', 'd'], 'e')).toEqual(['a', 'b', 'c', 'd'])
  expect(comparePath(['acme', '서울'])).toBe('/companies?compare=acme,%EC%84%9C%EC%9A%B8')
})

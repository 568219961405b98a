import { expect, test } from 'vitest'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { cannotExist, pageKey } from './page-key.server.ts'

const { flags } = readConfig({ ENABLE_JOBS: 'true' })
const ID = '0190a7e0-0000-7000-8000-000000000001'

test.each([
  ['a parameter that no screen reads', '/?utm=x&ref=y', '/'],
  ['one that this screen does not read', '/about?sort=new', '/about'],
  ['an order that is none', '/discussions?sort=x1', '/discussions'],
  ['another that is none', '/discussions?sort=x2&period=day', '/discussions'],
  ['the usual order', '/discussions?sort=hot', '/discussions'],
  ['a period of a list that has none', '/discussions?sort=new&period=day', '/discussions?sort=new'],
  ['a company that is no id', '/discussions?company=acme', '/discussions'],
  ['empty values', '/discussions?search=&topic=&after=', '/discussions'],
  ['spaces around a search', '/discussions?search=+tea+', '/discussions?search=tea'],
  [
    'another order of the parameters',
    '/discussions?topic=pay&sort=new',
    '/discussions?sort=new&topic=pay',
  ],
  ['a parameter that comes twice', '/discussions?sort=top&sort=new', '/discussions?sort=new'],
  ['an order of companies that is none', '/companies?sort=x1', '/companies'],
  ['a comparison', '/companies?compare=Acme,,acme,brine&sort=x', '/companies?compare=acme%2Cbrine'],
  ['the first tab of a company', '/acme?tab=discussions', '/acme'],
  ['a tab that is none', '/acme?tab=x1&rate=x2', '/acme'],
  ['a form to rate', '/acme?rate=yes&tab=ratings', '/acme?tab=ratings&rate=yes'],
  ['an order of comments that is none', `/thread/${ID}?sort=x1&below=x2`, `/thread/${ID}`],
  ['a salary as people write it', '/jobs?salary=60k&remote=x', '/jobs?salary=60000'],
  ['saved jobs, whatever else', '/jobs?saved=x1&search=tea', '/jobs?saved=1'],
  ['who to write about', '/create-thread?x=y&company=acme', '/create-thread?company=acme'],
  ['a slash at the end', '/companies/?sort=a-z&x=y', '/companies/?sort=a-z'],
])('%s: %s is kept as %s', (_, url, key) => {
  expect(pageKey(url, flags)).toBe(key)
  expect(pageKey(key, flags)).toBe(key)
})

test('a thread or a job without an id can be nowhere; a company may have any name', () => {
  for (const path of ['/thread/x', '/thread/1234-tea', '/jobs/x'])
    expect(cannotExist(path, flags), path).toBe(true)
  for (const path of [`/thread/${ID}-tea`, `/jobs/${ID}`, '/x', '/company/x', '/a/b/c'])
    expect(cannotExist(path, flags), path).toBe(false)
})

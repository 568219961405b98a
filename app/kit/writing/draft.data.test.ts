import { beforeEach, expect, test, vi } from 'vitest'
import {
  announceSent,
  clearDraft,
  type DraftKey,
  listDrafts,
  readDraft,
  saveDraft,
  sentIn,
} from './draft.data.ts'

const stored = new Map<string, string>()
const place = (key: string, kind: DraftKey['kind'] = 'thread') => ({
  kind,
  key,
  path: `/create-thread?company=${key}`,
})

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('localStorage', {
    get length() {
      return stored.size
    },
    key: (index: number) => [...stored.keys()][index] ?? null,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

test('a draft comes back as it was left, and goes when it’s cleared', () => {
  expect(readDraft(place('acme'))).toBeUndefined()
  expect(saveDraft(place('acme'), { title: 'Pay' }, 5)).toBe(true)
  expect(readDraft(place('acme'))).toEqual({
    ...place('acme'),
    content: { title: 'Pay' },
    savedAt: 5,
  })
  clearDraft(place('acme'))
  expect(readDraft(place('acme'))).toBeUndefined()
})

test('a draft from an older version keeps its idempotency key', () => {
  saveDraft(place('acme'), { title: 'Pay', sending: 'a' }, 5)
  expect(readDraft(place('acme'))?.content).toEqual({ title: 'Pay', idempotencyKey: 'a' })
})

test('drafts of different places don’t touch each other', () => {
  saveDraft(place('acme'), { title: 'One' }, 1)
  saveDraft(place('globex'), { title: 'Two' }, 2)
  saveDraft(place('acme', 'comment'), { body: 'Three' }, 3)
  clearDraft(place('globex'))
  expect(readDraft(place('acme'))?.content).toEqual({ title: 'One' })
  expect(readDraft(place('acme', 'comment'))?.content).toEqual({ body: 'Three' })
})

test('the list has all drafts, the last one first, and nothing else in the browser', () => {
  stored.set('theme', 'dark')
  stored.set('anonymousUserId', 'anon-1')
  saveDraft(place('acme'), { title: 'One' }, 1)
  saveDraft(place('globex'), { title: 'Two' }, 2)
  expect(listDrafts().map(({ key }) => key)).toEqual(['globex', 'acme'])
})

test('a post’s draft edit, which reveals its author, shows to no one else at this browser', () => {
  const danas = { ...place('edit/1', 'comment'), isEdit: true, who: 'dana' }
  const veras = { ...place('edit/2', 'comment'), isEdit: true }
  saveDraft(danas, { body: 'Of dana' }, 2)
  saveDraft(veras, { body: 'Of a visitor' }, 1)
  expect(readDraft(danas)?.content).toEqual({ body: 'Of dana' })
  expect(readDraft({ ...danas, who: 'mallory' })).toBeUndefined()
  expect(readDraft({ ...danas, who: undefined })).toBeUndefined()
  expect(listDrafts('dana').map(({ key }) => key)).toEqual(['edit/1', 'edit/2'])
  expect(listDrafts('mallory').map(({ key }) => key)).toEqual(['edit/2'])
  expect(listDrafts().map(({ key }) => key)).toEqual(['edit/2'])
})

test('foreign text in the storage is no draft', () => {
  stored.set('kettle-draft:thread:acme', '{"broken')
  stored.set('kettle-draft:thread:evil', '{"path":"javascript:alert(1)","content":{}}')
  stored.set('kettle-draft:thread:null', 'null')
  expect(listDrafts()).toEqual([])
  expect(readDraft(place('acme'))).toBeUndefined()
})

test('a browser that can’t store anything doesn’t get in the way', () => {
  vi.stubGlobal('localStorage', undefined)
  expect(saveDraft(place('acme'), { title: 'One' })).toBe(false)
  expect(readDraft(place('acme'))).toBeUndefined()
  expect(listDrafts()).toEqual([])
  clearDraft(place('acme'))
})

test('a sent draft goes, and other tabs hear where the post is and what it says', () => {
  const heard: (string | null)[] = []
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => {
      stored.set(key, value)
      heard.push(value)
    },
    removeItem: (key: string) => {
      stored.delete(key)
      heard.push(null)
    },
  })
  const sent = { key: 'key', path: '/thread/1', texts: ['{"body":"The lift is slow"}'] }
  announceSent(place('acme'), sent)
  expect(heard.map(sentIn)).toEqual([sent, undefined])
  expect(stored.size).toBe(0)
})

test('foreign text in the storage is no sent draft', () => {
  for (const text of [
    null,
    '{"broken',
    'null',
    '{"sent":{"path":"javascript:alert(1)","texts":[]}}',
    '{"sent":{"path":"/thread/1"}}',
    JSON.stringify({ ...place('acme'), content: { title: 'Pay' }, savedAt: 5 }),
  ])
    expect(sentIn(text)).toBeUndefined()
})

test('a sent draft that stays by accident is no draft', () => {
  stored.set('kettle-draft:thread:acme', JSON.stringify({ sent: { path: '/thread/1', texts: [] } }))
  expect(readDraft(place('acme'))).toBeUndefined()
  expect(listDrafts()).toEqual([])
})

import { expect, test } from 'vitest'
import { sharedFiles } from '../vite.shared-files.ts'

type Output = Parameters<typeof sharedFiles>[0]

const chunk = (name: string, imports: string[] = [], code = name) => ({
  type: 'chunk',
  fileName: `${name}.js`,
  facadeModuleId: name.endsWith('.screen') ? `${name}.tsx` : null,
  isEntry: name === 'main',
  isDynamicEntry: name.endsWith('.screen'),
  moduleIds: [`${name}.ts`],
  imports: imports.map((each) => `${each}.js`),
  code,
})
const groupsOf = (...chunks: ReturnType<typeof chunk>[]) =>
  sharedFiles(chunks as unknown as Output, /\.screen\.tsx$/).map(({ test }) =>
    chunks.flatMap(({ moduleIds }) => moduleIds).filter(test),
  )
const large = Array.from({ length: 2_000 }, (_, i) => (i * 7_919) % 9_973).join(' ')

test('small files that the same screens load become one; what every page has stays out', () => {
  const groups = groupsOf(
    chunk('main', ['react']),
    chunk('react'),
    chunk('icon'),
    chunk('byline'),
    chunk('thread.screen', ['react', 'icon', 'byline']),
    chunk('company.screen', ['react', 'icon', 'byline']),
  )
  expect(groups).toEqual([['icon.ts', 'byline.ts']])
})

test('nobody gets a large file for a small one, nor what only one screen loads', () => {
  const groups = groupsOf(
    chunk('main'),
    chunk('thread.screen', ['icon', 'editor', 'poll']),
    chunk('create.screen', ['icon', 'editor']),
    chunk('company.screen', ['icon']),
    chunk('icon'),
    chunk('editor', [], large),
    chunk('poll'),
  )
  expect(groups).toEqual([['icon.ts'], ['editor.ts']])
})

test('what others import comes first, so that nobody takes it along', () => {
  const groups = groupsOf(
    chunk('main'),
    chunk('a.screen', ['editor', 'icon']),
    chunk('b.screen', ['editor', 'icon']),
    chunk('c.screen', ['icon']),
    chunk('editor', ['icon'], large),
    chunk('icon'),
  )
  expect(groups).toEqual([['icon.ts'], ['editor.ts']])
})

import { randomUUID } from 'node:crypto'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { type CachedPage, cachedPage } from './page-cache.server.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

test('of a page that is kept the markup is not, though the threads to which it leads are', async () => {
  const pages: CachedPage[] = []
  const usedMb = () => {
    collectGarbage()
    return process.memoryUsage().heapUsed / 1024 / 1024
  }
  const before = usedMb()
  for (let n = 0; n < 200; n++) {
    const links = Array.from({ length: 5 }, () => `<a href="/thread/${randomUUID()}">A thread</a>`)
    const html = [...links, 'word '.repeat(60_000)].join('')
    pages.push(await cachedPage({ status: 200, html }, { headers: [], renderedAt: 0 }))
  }
  // Their markup is 60 MB.
  expect(usedMb() - before).toBeLessThan(20)
  expect(pages.every(({ threads }) => threads.size === 5)).toBe(true)
})

test('a short page keeps its own bytes and not all that zlib made room for', async () => {
  const page = await cachedPage(
    { status: 200, html: 'Tea at four.' },
    { headers: [], renderedAt: 0 },
  )
  expect(page.brotli.buffer.byteLength).toBe(page.brotli.length)
})

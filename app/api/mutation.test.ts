import { onlineManager, QueryClient } from '@tanstack/react-query'
import { expect, test } from 'vitest'
import { isLast, mutate } from './mutation.ts'

test('dana’s offline actions fail at once', async () => {
  onlineManager.setOnline(false)
  try {
    const mutationFn = () => Promise.reject(new Error('not reached'))
    const press = mutate(new QueryClient(), { subject: 'follow acme', mutationFn })
    await expect(press).rejects.toThrow('not reached')
  } finally {
    onlineManager.setOnline(true)
  }
})

test('clicks about one thing wait for each other, and clicks about another don’t', async () => {
  const client = new QueryClient()
  const sent: string[] = []
  const lasts: string[] = []
  const press = (subject: string, name: string) =>
    mutate(client, {
      subject,
      mutationFn: async () => {
        sent.push(`${name} begins`)
        await new Promise((done) => setTimeout(done))
        sent.push(`${name} ends`)
      },
      onSuccess: () => {
        if (isLast(client, subject)) lasts.push(name)
      },
    })
  await Promise.all([press('acme', 'first'), press('acme', 'second'), press('brio', 'other')])
  expect(sent.indexOf('second begins')).toBeGreaterThan(sent.indexOf('first ends'))
  expect(sent.indexOf('other begins')).toBeLessThan(sent.indexOf('first ends'))
  expect(lasts.sort()).toEqual(['other', 'second'])
})

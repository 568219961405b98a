import { describe, expect, test } from 'vitest'
import { MAIL_NAMES } from '#app/office/administration/administration.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { createMailSender } from '#app/platform/mail/mail-tasks.server.ts'
import type { TaskFacts } from '#app/platform/queue/queue.server.ts'
import { testSecrets } from '#tests/support/database.ts'
import { MAIL_TASKS } from './main.features.server.ts'

test('administrators read what each mail is about', () => {
  expect(Object.keys(MAIL_NAMES).sort()).toEqual([...MAIL_TASKS].sort())
})

describe('what a job that sends mail receives', () => {
  const sent: Mail[] = []
  const office = (hasRateLimits: boolean) =>
    createMailSender({
      mailer: { send: async (mail) => void sent.push(mail) },
      secrets: testSecrets,
      hasRateLimits,
    })
  const job = (id: string, attempt = 1): TaskFacts => ({ id, attempt })
  const mail = { to: 'dana@people.example', subject: 'Hi', text: 'Hi', html: 'Hi' }

  test('a job that sends mail gets one id on every try, which says nothing about the job or person', async () => {
    const senderFor = office(true)
    for (const it of [job('a-job'), job('a-job', 2), job('another-job')])
      await senderFor(it).send(mail)
    const ids = sent.splice(0).map(({ id }) => id)
    expect(ids[0]).toBe(ids[1])
    expect(ids[0]).not.toBe(ids[2])
    for (const id of ids) expect(id).toMatch(/^[\w-]{43}$/)
    expect(ids.join()).not.toMatch(/job|dana/)
  })

  test('one address in any spelling gets 20 mails a day, and retries don’t count', async () => {
    const senderFor = office(true)
    const spellings = ['dana@people.example', ' Dana@People.Example']
    for (let i = 0; i < 20; i++) {
      const id = `job-${i}`
      expect(await senderFor(job(id)).hasRoomFor(spellings[i % 2] ?? '')).toBe(true)
      expect(await senderFor(job(id, 2)).hasRoomFor(spellings[0] ?? '')).toBe(true)
    }
    expect(await senderFor(job('one-more')).hasRoomFor(spellings[0] ?? '')).toBe(false)
    expect(await senderFor(job('to-vera')).hasRoomFor('vera@people.example')).toBe(true)
    expect(await office(false)(job('unlimited')).hasRoomFor(spellings[0] ?? '')).toBe(true)
  })
})

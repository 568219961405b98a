import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MAIL_JOBS } from './main.mails.server.ts'

const textOf = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8')

test('every job that is given the mailer is known as one that writes to somebody', () => {
  const text = textOf('./main.jobs.server.ts')
  const jobs = text.slice(text.indexOf('export function handleJobs')).split(/\n {2}jobs\./)
  const mailing = jobs
    .slice(1)
    .filter((job) => job.includes('mailer'))
    .map((job) => /\(([A-Z_]+), /.exec(job)?.[1] ?? '')
  expect(mailing).toContain('DIGEST_MAIL')
  const known = textOf('./main.mails.server.ts').split('MAIL_JOBS = ')[1]
  for (const name of mailing) expect(known).toContain(`  ${name},`)
  expect(MAIL_JOBS).toHaveLength(mailing.length)
})

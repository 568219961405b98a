/** The mails of a site that has no mail server: files below its data. For journeys. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { type ParsedMail, parseMail } from './mail-server.ts'

/** @returns waits for the first mail to an address whose subject begins so */
export const outboxIn = (dataDir: string) => async (to: string, subject: string) => {
  const folder = join(dataDir, 'outbox')
  const find = async () => {
    const names = await readdir(folder).catch(() => [])
    const files = names.filter((name) => name.endsWith('.eml'))
    const mails = await Promise.all(
      files.map(async (name) => parseMail(await readFile(join(folder, name)))),
    )
    return mails.find((mail) => mail.to.includes(to) && mail.subject.startsWith(subject))
  }
  let found: ParsedMail | undefined
  await expect
    .poll(
      async () => {
        found = await find()
        return found?.subject
      },
      { message: `${subject}, to ${to}`, interval: 100 },
    )
    .toBeDefined()
  return found as ParsedMail
}

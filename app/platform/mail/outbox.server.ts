/**
 * Mails as files, where no server sends them. Each names an address, so neither its name nor what is in it says
 * when it was written: held against the minute of a post, that would name its author.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder, syncFolder } from '../database/durable.server.ts'

const DAY_S = 86_400
const SLUG_MAX = 40

/** The start of the day (UTC): the date of a mail in the folder, and of its file. */
export const dayOfMail = (now: Date) =>
  new Date(Math.floor(now.getTime() / 1000 / DAY_S) * DAY_S * 1000)

/** @param message whole, with its headers */
export async function putIntoOutbox(
  folder: string,
  { subject, message, now }: { subject: string; message: Buffer; now: Date },
) {
  await privateFolder(folder)
  const name = `${slugOf(subject)}-${randomBytes(4).toString('hex')}.eml`
  // Whoever watches the folder sees whole mails only.
  const unfinished = join(folder, `.${name}.part`)
  await writeFile(unfinished, message, { mode: 0o600, flush: true })
  await utimes(unfinished, dayOfMail(now), dayOfMail(now))
  await rename(unfinished, join(folder, name))
  await syncFolder(folder)
}

/** For whoever looks for the mail with the link. */
const slugOf = (subject: string) =>
  subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, SLUG_MAX)

/**
 * Takes away mails whose day was more than `days` ago. The others are touched: the file system's own note of
 * when a file last changed then says when this ran.
 * @param days 0 keeps them all
 */
export async function sweepOutbox(folder: string, { days, now }: { days: number; now: Date }) {
  const names = await readdir(folder).catch(() => [])
  for (const name of names.filter((name) => name.endsWith('.eml'))) {
    const path = join(folder, name)
    // Another process may sweep the same folder.
    const file = await stat(path).catch(() => undefined)
    if (!file) continue
    const age = (dayOfMail(now).getTime() - file.mtimeMs) / 1000 / DAY_S
    if (days > 0 && age > days) await unlink(path).catch(() => {})
    else await utimes(path, file.mtime, file.mtime).catch(() => {})
  }
}

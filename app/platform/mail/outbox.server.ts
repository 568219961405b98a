/**
 * Mails as files, if there's no mail server. As each names an address, neither a file's name nor its content tells
 * when it was written: matched with a post's minute, that would reveal its author.
 */
import { randomBytes } from 'node:crypto'
import { readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder, syncFolder } from '../database/durable.server.ts'

const DAY_S = 86_400
const SLUG_MAX = 40

/** The start of the day in UTC: the date of a mail, and of its file. */
export const dayOfMail = (now: Date) =>
  new Date(Math.floor(now.getTime() / 1000 / DAY_S) * DAY_S * 1000)

/** @param message with its headers */
export async function putIntoOutbox(
  folder: string,
  { subject, message, now }: { subject: string; message: Buffer; now: Date },
) {
  await privateFolder(folder)
  const name = `${slugOf(subject)}-${randomBytes(4).toString('hex')}.eml`
  // So a watched folder only ever shows whole mails.
  const unfinished = join(folder, `.${name}.part`)
  await writeFile(unfinished, message, { mode: 0o600, flush: true })
  await utimes(unfinished, dayOfMail(now), dayOfMail(now))
  await rename(unfinished, join(folder, name))
  await syncFolder(folder)
}

/** For people who look for the mail with a link. */
const slugOf = (subject: string) =>
  subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, SLUG_MAX)

/**
 * Deletes mails older than `days`. Others are touched, so the file system's change time only says when this ran.
 * @param days 0 keeps all
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

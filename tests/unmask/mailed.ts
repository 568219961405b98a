/** Emails as people get them, from the outbox folder of a site without a mail server. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Links that confirm an account's address. */
const TO_ACCOUNT = /verify\?[^\s"<]*token(?:_hash)?=([\w.-]+)/
/** Codes for a badge. */
const CODE = /^([\dA-Z]{3} [\dA-Z]{3})\r?$/m

/** The token from the newest untried email to someone. */
export async function tokenMailedTo(dataDir: string, email: string, tried: Set<string>) {
  const { found } = await newestWith(dataDir, email, TO_ACCOUNT, tried)
  return found
}

/** The code sent to a work address. The email is in an employer's mailbox, so it's deleted here. */
export async function badgeCodeMailedTo(dataDir: string, email: string) {
  const { found, file } = await newestWith(dataDir, email, CODE, new Set())
  await rm(file)
  return found
}

async function newestWith(dataDir: string, email: string, wanted: RegExp, tried: Set<string>) {
  const folder = join(dataDir, 'outbox')
  // What a busy machine failed to send is sent again a minute later, so only the run's own limit ends this.
  for (;;) {
    for (const name of (await readdir(folder).catch(() => [])).sort().reverse()) {
      if (!name.endsWith('.eml')) continue
      const file = join(folder, name)
      // The site may have removed it since.
      const text = (await readFile(file, 'utf8').catch(() => ''))
        .replaceAll('=\r\n', '')
        .replaceAll('=3D', '=')
      const found = wanted.exec(text)?.[1]
      if (found && !tried.has(found) && text.includes(email)) return { found, file }
    }
    await wait(50)
  }
}

/** Emails as people get them, from the outbox folder of a site without a mail server. */
import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

/** Links that confirm an account's address. */
const TO_ACCOUNT = /verify\?[^\s"<]*token(?:_hash)?=([\w.-]+)/
/** Links that issue a badge. */
const TO_BADGE = /settings\/badge#([\w.%-]+)/

/** The token from the newest untried email to someone. */
export async function tokenMailedTo(dataDir: string, email: string, tried: Set<string>) {
  const { token } = await newestLink(dataDir, email, TO_ACCOUNT, tried)
  return token
}

/** The same for a work address. The email is in an employer's mailbox, so it's deleted here. */
export async function badgeLinkMailedTo(dataDir: string, email: string) {
  const { token, file } = await newestLink(dataDir, email, TO_BADGE, new Set())
  await rm(file)
  return decodeURIComponent(token)
}

async function newestLink(dataDir: string, email: string, link: RegExp, tried: Set<string>) {
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
      const token = link.exec(text)?.[1]
      if (token && !tried.has(token) && text.includes(email)) return { token, file }
    }
    await wait(50)
  }
}

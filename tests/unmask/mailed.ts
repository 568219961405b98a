/** Mails as people get them: from the folder where a site without a mail server puts them. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'

const MAIL_WITHIN_MS = 30_000

/** What the link of the newest mail to somebody holds, of those that were not tried. */
export async function tokenMailedTo(
  dataDir: string,
  email: string,
  tried: Set<string>,
): Promise<string> {
  const folder = join(dataDir, 'outbox')
  const latest = performance.now() + MAIL_WITHIN_MS
  for (;;) {
    for (const name of (await readdir(folder).catch(() => [])).sort().reverse()) {
      if (!name.endsWith('.eml')) continue
      // The site may have taken it away since.
      const text = (await readFile(join(folder, name), 'utf8').catch(() => ''))
        .replaceAll('=\r\n', '')
        .replaceAll('=3D', '=')
      const token = /verify\?[^\s"<]*token(?:_hash)?=([\w.-]+)/.exec(text)?.[1]
      if (token && !tried.has(token) && text.includes(email)) return token
    }
    if (performance.now() > latest) throw new Error(`No mail came to ${email}`)
    await wait(50)
  }
}

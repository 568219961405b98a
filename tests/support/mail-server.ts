/** A real mail server on loopback that keeps what it receives, for tests. */

import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { expect } from 'vitest'

export interface ParsedMail {
  /** The envelope's addresses, which is where it really went. */
  to: string[]
  /** The address alone. */
  from: string
  fromName: string
  subject: string
  text: string
  html: string
  /** Every http(s) address in the text or linked in the HTML, once, in order. */
  links: string[]
  headers: Record<string, string>
  raw: string
}

export interface MailServer {
  /** The value of SMTP_URL. */
  url: string
  port: number
  /** Everything received, in order. */
  mails: ParsedMail[]
  /**
   * Waits for the first matching email that `next` hasn't returned yet. @throws an Error with the subjects of the emails
   * that came instead.
   */
  next(match?: (mail: ParsedMail) => boolean): Promise<ParsedMail>
  /**
   * How it refuses from now on: with a code like 550 for a command, or with `hang-up` once it has the whole email and
   * should accept or refuse it. (It keeps that email in `mails`.)
   */
  refusals: { sender?: number; recipient?: number; message?: number | 'hang-up' }
  /** Breaks open connections and frees the port. */
  stop(): Promise<void>
}

/** Starts a server on `port`, or on a free one. The server needs no password and has no TLS. */
export async function startMailServer({ port = 0 }: { port?: number } = {}): Promise<MailServer> {
  const mails: ParsedMail[] = []
  const fetched = new Set<ParsedMail>()
  const waiting = new Set<() => void>()
  const refusals: MailServer['refusals'] = {}
  const no = (code: number) => Object.assign(new Error('No'), { responseCode: code })

  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    closeTimeout: 1,
    onMailFrom: (_address, _session, done) =>
      done(refusals.sender ? no(refusals.sender) : undefined),
    onRcptTo: (_address, _session, done) =>
      done(refusals.recipient ? no(refusals.recipient) : undefined),
    async onData(stream, session, done) {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of stream) chunks.push(chunk)
        if (typeof refusals.message === 'number') return done(no(refusals.message))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        mails.push(await parseMail(Buffer.concat(chunks), to))
        for (const look of waiting) look()
        if (refusals.message !== 'hang-up') return done()
        for (const connection of server.connections)
          if (connection.session.id === session.id) connection._socket.destroy()
      } catch (error) {
        done(error as Error)
      }
    },
  })
  // Tests expect clients that disconnect midway.
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await Promise.race([
    once(server.server, 'listening'),
    once(server.server, 'error').then(([error]) => Promise.reject(error)),
  ])
  const used = (server.server.address() as AddressInfo).port

  return {
    url: `smtp://127.0.0.1:${used}`,
    port: used,
    mails,
    refusals,
    next: (match = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          const mail = mails.find((mail) => !fetched.has(mail) && match(mail))
          if (!mail) return
          fetched.add(mail)
          waiting.delete(look)
          resolve(mail)
        }
        waiting.add(look)
        look()
      }),
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Parses a message. `to` is the envelope's addresses, by default the header's. */
export async function parseMail(raw: Buffer, to?: string[]): Promise<ParsedMail> {
  const mail = await PostalMime.parse(raw)
  const { text = '', html = '' } = mail
  const hrefs = [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) =>
    (href ?? '').replaceAll('&amp;', '&'),
  )
  const inText = text.match(/https?:\/\/[^\s<>"]+/g) ?? []
  return {
    to: to ?? (mail.to ?? []).flatMap(({ address }) => address ?? []),
    from: mail.from?.address ?? '',
    fromName: mail.from?.name ?? '',
    subject: mail.subject ?? '',
    text,
    html,
    links: [...new Set([...inText, ...hrefs])].filter((link) => /^https?:/.test(link)),
    headers: Object.fromEntries(mail.headers.map(({ key, value }) => [key, value])),
    raw: raw.toString(),
  }
}

/**
 * Reads the outbox of a site without a mail server, which is files in its data folder. @returns a function that waits for
 * the first email to an address whose subject starts like this
 */
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

/** Sends mails by SMTP, or writes them into a folder where no SMTP_URL is set. */
import { randomBytes } from 'node:crypto'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { ConfigError } from './config.server.ts'

/** A server that says nothing for so long is not there. The queue tries again later. */
const PATIENCE_MS = 10_000

export interface Mail {
  /** One address, without a name. */
  to: string
  subject: string
  text: string
  html: string
  /** Where answers go, when not to who it comes from: one address, without a name. */
  replyTo?: string
  /** Such as List-Unsubscribe: name and value in ASCII. No line break in it makes a second one. */
  headers?: Record<string, string>
}

export interface Mailer {
  /**
   * Resolves when the server has taken the mail over, or the file is written.
   * @throws MailNotSent, which tells a code but no address.
   */
  send(mail: Mail): Promise<void>
  close(): void
  /** Where mails go, for the start's announcement: no user, no password. */
  describe: string
}

/** A mail that nobody took. Its message holds nothing of the mail, nor what the server said. */
export class MailNotSent extends Error {
  override name = 'MailNotSent'
  constructor(
    /** Of nodemailer (ECONNECTION, EAUTH, EENVELOPE, …) or the operating system. */
    readonly code: string,
    /** The server's three digits, if it came to that. */
    readonly responseCode?: number,
  ) {
    super('The mail could not be sent')
  }
}

/**
 * @param settings.from who the mails come from: `no-reply@kettle.example`, with a name before it if
 * the address stands in angle brackets
 * @throws ConfigError when `from` is no address.
 */
export function createMailer(settings: {
  smtpUrl?: string
  from: string
  outboxFolder: string
  patienceMs?: number
}): Mailer {
  const from = senderOf(settings.from)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const messageOf = ({ to, subject, text, html, replyTo, headers = {} }: Mail) => {
    if (!isAddress(to) || !isAddress(replyTo ?? to)) throw new MailNotSent('EADDRESS')
    return {
      from,
      to: { name: '', address: to },
      ...(replyTo && { replyTo: { name: '', address: replyTo } }),
      subject: oneLine(subject),
      text,
      html,
      // Prepared: as they are. A long address that is broken over lines is lost on some programs.
      headers: Object.entries(headers).map(([key, value]) => ({
        key,
        value: { prepared: true, value: oneLine(value) },
      })),
      // Not made from the name of the machine.
      messageId: `<${randomBytes(16).toString('hex')}@${domain}>`,
      // A text that looks like a path or an address is a text.
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
  return settings.smtpUrl
    ? smtpMailer(settings.smtpUrl, settings.patienceMs ?? PATIENCE_MS, domain, messageOf)
    : outboxMailer(settings.outboxFolder, messageOf)
}

type MessageOf = (mail: Mail) => object

function smtpMailer(
  smtpUrl: string,
  patienceMs: number,
  domain: string,
  messageOf: MessageOf,
): Mailer {
  const url = new URL(smtpUrl)
  const transport = createTransport({
    pool: true,
    maxConnections: 2,
    // The queue tries again by itself; once at once, for a connection that the server just closed.
    maxRequeues: 1,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patienceMs,
    dnsTimeout: patienceMs,
    // How we greet the server ends up in the mail's headers: not with the name of the machine.
    ...(url.searchParams.has('name') ? {} : { name: domain }),
    url: smtpUrl,
  } as Parameters<typeof createTransport>[0])
  // Each mail's failure is thrown to its sender; without a listener it would also end the process.
  transport.on('error', () => {})
  return {
    describe: `${url.protocol}//${url.host}`,
    send: (mail) => withoutDetails(() => transport.sendMail(messageOf(mail))),
    close: () => transport.close(),
  }
}

function outboxMailer(folder: string, messageOf: MessageOf): Mailer {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    describe: `files in ${folder}`,
    send: (mail) =>
      withoutDetails(async () => {
        const { message } = await transport.sendMail(messageOf(mail))
        await mkdir(folder, { recursive: true, mode: 0o700 })
        const moment = new Date().toISOString().replaceAll(/[:.]/g, '-')
        const name = `${moment}-${randomBytes(4).toString('hex')}.eml`
        // Whoever watches the folder sees whole mails only.
        const unfinished = join(folder, `.${name}.part`)
        await writeFile(unfinished, message as Buffer, { mode: 0o600 })
        await rename(unfinished, join(folder, name))
      }),
    close: () => transport.close(),
  }
}

/** Errors of nodemailer quote addresses and the server's words. */
async function withoutDetails(send: () => Promise<unknown>): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (error instanceof MailNotSent) throw error
    const { code, responseCode } = error as { code?: unknown; responseCode?: unknown }
    throw new MailNotSent(
      typeof code === 'string' ? code : 'EUNKNOWN',
      typeof responseCode === 'number' ? responseCode : undefined,
    )
  }
}

/** One address, nothing that a header or a list of addresses could take for more. */
const isAddress = (text: string) =>
  text.length <= 254 && /^[^\s\p{C}<>()[\]\\,;:"@]+@[^\s\p{C}<>()[\]\\,;:"@]+$/u.test(text)

const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** Read here, because nodemailer takes a comma in a name for the end of it. */
function senderOf(text: string) {
  const named = /^(.*)<([^<>]*)>\s*$/s.exec(text)
  const name = oneLine(named?.[1] ?? '').replaceAll(/^"(.*)"$/g, '$1')
  const address = (named?.[2] ?? text).trim()
  if (!isAddress(address))
    throw new ConfigError(
      `The setting MAIL_FROM ("${text}") cannot be used: must be like Kettle <no-reply@kettle.example>.`,
    )
  return { name, address }
}

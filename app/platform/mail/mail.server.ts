import { randomBytes } from 'node:crypto'
import { readdir, rename, stat, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createTransport } from 'nodemailer'
import { privateFolder, syncFolder } from '../folders.server.ts'
import type { TaskFailure } from '../queue/queue.server.ts'
import { isOneAddress, oneLine, senderOf } from './address.ts'
import { LOGO_CID } from './mail-layout.server.ts'

/** A silent server counts as unreachable. The queue retries later. */
const PATIENCE_MS = 10_000
/** Once a server has the whole email, it may take longer. Retrying too soon would send it twice. */
const LOOKING_PATIENCE_MS = 60_000
/** 5xx codes about the session, such as a wrong password, rather than about the email. */
const SESSION_CODES = [503, 530, 534, 535, 538]

export interface Mail {
  /**
   * The same for each try of this email, and meaningless to others. It becomes the Message-ID, so receivers
   * recognize a second copy. Without it, each try has its own.
   */
  id?: string
  to: string
  subject: string
  text: string
  html: string
  /** A PNG that the layout shows. */
  logo?: Buffer | undefined
  /** Where replies go, if not to the sender. A single address, without a name. */
  replyTo?: string
  /** Such as List-Unsubscribe, in ASCII. Line breaks can't add another header. */
  headers?: Record<string, string>
}

export interface Mailer {
  /**
   * Resolves once the server has accepted the email, or the file is written.
   * @throws MailNotSent, with a code but no address
   */
  send(mail: Mail): Promise<void>
  /** Deletes old files, if emails become files. */
  sweep?(): Promise<void>
  close(): void
  /** Where emails go, for the log at startup. Contains no user or password. */
  describe: string
}

/** Why we don't retry an email, for administrators. */
export const MAIL_REFUSALS = [
  'not-an-address',
  'refused-sender',
  'refused-address',
  'refused-message',
] as const
type MailRefusal = (typeof MAIL_REFUSALS)[number]
/** The connection broke after we sent the whole email, but before the server answered. */
export const MAY_HAVE_ARRIVED = 'may-have-arrived'

/** An undelivered email. The message doesn't quote the email or the server. It tells the queue whether to retry. */
export class MailNotSent extends Error implements TaskFailure {
  override name = 'MailNotSent'
  readonly giveUp?: MailRefusal
  readonly unsure?: typeof MAY_HAVE_ARRIVED
  constructor(
    /** The code of nodemailer (ECONNECTION, EAUTH, EENVELOPE, …) or the system. */
    readonly code: string,
    /** The server's three-digit code, if any. */
    readonly responseCode?: number,
    { giveUp, mayHaveArrived }: { giveUp?: MailRefusal; mayHaveArrived?: boolean } = {},
  ) {
    super('Couldn’t send the email')
    if (giveUp) this.giveUp = giveUp
    if (mayHaveArrived) this.unsure = MAY_HAVE_ARRIVED
  }
}

/**
 * @param settings.from the sender: `no-reply@kettle.example`, or a name with the address in angle brackets
 * @throws Error if `from` isn't valid, which the settings check
 */
export function createMailer(settings: {
  smtpUrl?: string
  from: string
  /** Replaces the sender's name. */
  senderName?: (() => string) | undefined
  outboxFolder: string
  /** How many days to keep a file after its own day. 0 keeps all. */
  outboxDays?: number
  /** Called with a line about each email that became a file, including its link, if it has one. */
  log?: (line: string) => void
  patienceMs?: number
  now?: () => Date
}): Mailer {
  const { now = () => new Date() } = settings
  const from = senderOf(settings.from)
  if (!from) throw new Error('The sender must have an email address')
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const messageOf = ({ id, to, subject, text, html, logo, replyTo, headers = {} }: Mail) => {
    if (!isOneAddress(to) || !isOneAddress(replyTo ?? to))
      throw new MailNotSent('EADDRESS', undefined, { giveUp: 'not-an-address' })
    return {
      from: { ...from, name: settings.senderName?.() ?? from.name },
      to: { name: '', address: to },
      ...(replyTo && { replyTo: { name: '', address: replyTo } }),
      subject: oneLine(subject),
      text,
      html,
      ...(logo && {
        attachments: [
          {
            cid: LOGO_CID,
            filename: 'logo.png',
            content: logo,
            contentDisposition: 'inline',
          },
        ],
      }),
      // Marked as prepared, so it isn't folded, because some programs break a long URL that's split over lines.
      headers: Object.entries(headers).map(([key, value]) => ({
        key,
        value: { prepared: true, value: oneLine(value) },
      })),
      // Otherwise, nodemailer uses the machine's name.
      messageId: `<${id ?? randomBytes(16).toString('hex')}@${domain}>`,
      // Text that looks like a path or URL stays text.
      disableFileAccess: true,
      disableUrlAccess: true,
    }
  }
  return settings.smtpUrl
    ? smtpMailer(settings.smtpUrl, settings.patienceMs, domain, messageOf)
    : outboxMailer({ ...settings, now }, messageOf)
}

type MessageOf = (mail: Mail) => object

function smtpMailer(
  smtpUrl: string,
  patience: number | undefined,
  domain: string,
  messageOf: MessageOf,
): Mailer {
  const patienceMs = patience ?? PATIENCE_MS
  const url = new URL(smtpUrl)
  const transport = createTransport({
    pool: true,
    maxConnections: 2,
    // The queue retries by itself. One immediate retry covers a connection that the server closed before we sent a
    // byte of the email.
    maxRequeues: 1,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patience ?? LOOKING_PATIENCE_MS,
    dnsTimeout: patienceMs,
    // The greeting ends up in the email's headers, so it mustn't be the machine's name.
    ...(url.searchParams.has('name') ? {} : { name: domain }),
    url: smtpUrl,
  } as Parameters<typeof createTransport>[0])
  transport.use('stream', (mail, done) => {
    watchReading(mail as unknown as Composed)
    done()
  })
  // Senders get their own errors. Without a listener, an error would also end the process.
  transport.on('error', () => {})
  return {
    describe: `${url.protocol}//${url.host}`,
    send(mail) {
      const reading: Reading = { isOver: false }
      return withoutDetails(
        () => transport.sendMail({ ...messageOf(mail), reading } as object),
        reading,
      )
    },
    close: () => transport.close(),
  }
}

/** Whether the whole email was read for sending, so the server may have it. */
interface Reading {
  isOver: boolean
}
/** nodemailer's unfinished email, which contains ours. */
interface Composed {
  data: { reading?: Reading }
  message: { createReadStream(options?: object): NodeJS.ReadableStream }
}

function watchReading({ data: { reading }, message }: Composed) {
  if (!reading) return
  const read = message.createReadStream.bind(message)
  message.createReadStream = (options) =>
    read(options).once('end', () => {
      reading.isOver = true
    })
}

/** Links that confirm an address, or reset a password. */
const ACCOUNT_LINK = /(?<!\S)https?:\/\/[^\s?]+\/auth\/v1\/verify\?\S+/

function outboxMailer(
  settings: {
    outboxFolder: string
    outboxDays?: number
    log?: (line: string) => void
    now: () => Date
  },
  messageOf: MessageOf,
): Mailer {
  const { outboxFolder: folder, outboxDays: days = 1, log, now } = settings
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' })
  return {
    describe: `files in ${folder}`,
    send: (mail) =>
      withoutDetails(async () => {
        const dated = { ...messageOf(mail), date: dayOfMail(now()) }
        const { message } = await transport.sendMail(dated)
        await putIntoOutbox(folder, {
          subject: mail.subject,
          message: message as Buffer,
          now: now(),
        })
        const [link] = ACCOUNT_LINK.exec(mail.text) ?? []
        if (link) log?.(`${mail.subject}: ${link}`)
      }),
    sweep: () => sweepOutbox(folder, { days, now: now() }),
    close: () => transport.close(),
  }
}

/** nodemailer's errors quote addresses and the server. */
async function withoutDetails(send: () => Promise<unknown>, reading?: Reading): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (error instanceof MailNotSent) throw error
    const failure = error as { code?: unknown; responseCode?: unknown; command?: unknown }
    const code = typeof failure.code === 'string' ? failure.code : 'EUNKNOWN'
    const responseCode = typeof failure.responseCode === 'number' ? failure.responseCode : undefined
    throw new MailNotSent(code, responseCode, {
      giveUp: mailRefusalOf(code, responseCode, failure.command),
      mayHaveArrived: reading?.isOver && responseCode === undefined,
    })
  }
}

/** A permanent refusal of this email. Refusals of the session, and temporary ones, may change. */
function mailRefusalOf(code: string, responseCode = 0, command: unknown): MailRefusal | undefined {
  const isAboutMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isAboutMail || responseCode < 500 || SESSION_CODES.includes(responseCode)) return undefined
  if (command === 'MAIL FROM') return 'refused-sender'
  return command === 'RCPT TO' ? 'refused-address' : 'refused-message'
}

const DAY_S = 86_400
const SLUG_MAX = 40

/** The start of the day in UTC, which is the date of an email and its file. */
const dayOfMail = (now: Date) => new Date(Math.floor(now.getTime() / 1000 / DAY_S) * DAY_S * 1000)

/**
 * Without a mail server, emails become files. Each names an address, so neither its name nor its content reveals when
 * it was written. Matched with a post's minute, that would reveal the post's author.
 * @param message with its headers
 */
async function putIntoOutbox(
  folder: string,
  { subject, message, now }: { subject: string; message: Buffer; now: Date },
) {
  await privateFolder(folder)
  const name = `${slugOf(subject)}-${randomBytes(4).toString('hex')}.eml`
  // Rename the finished file, so a watched folder only ever shows complete emails.
  const unfinished = join(folder, `.${name}.part`)
  await writeFile(unfinished, message, { mode: 0o600, flush: true })
  await utimes(unfinished, dayOfMail(now), dayOfMail(now))
  await rename(unfinished, join(folder, name))
  await syncFolder(folder)
}

/** Names the file, so people can find the email with a link. */
const slugOf = (subject: string) =>
  subject
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, SLUG_MAX)

/**
 * Deletes emails older than `days`. Touches the others, so the file system's change time only shows when this ran.
 * @param days 0 keeps all
 */
async function sweepOutbox(folder: string, { days, now }: { days: number; now: Date }) {
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

/** Sends mails by SMTP, or writes them into a folder where no SMTP_URL is set. */
import { randomBytes } from 'node:crypto'
import { createTransport } from 'nodemailer'
import type { JobFailure } from '../jobs/jobs.server.ts'
import { ConfigError } from '../operations/config.server.ts'
import { isOneAddress } from './address.ts'
import { dayOfMail, putIntoOutbox, sweepOutbox } from './outbox.server.ts'

/** A server that says nothing for so long is not there. The queue tries again later. */
const PATIENCE_MS = 10_000
/** One that has the mail may look at it for longer: who asks again too soon sends it twice. */
const LOOKING_PATIENCE_MS = 60_000
/** Answers that begin with 5 and speak of the session, not of the mail: sign in first, wrong password. */
const OF_THE_SESSION = [503, 530, 534, 535, 538]

export interface Mail {
  /**
   * What stays the same however often this mail is tried, and tells nothing of anybody: it becomes
   * the Message-ID, by which who receives a second copy knows it. Without one each try has its own.
   */
  id?: string
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
  /** Takes old files away, where mails become files. */
  sweep?(): Promise<void>
  close(): void
  /** Where mails go, for the start's announcement: no user, no password. */
  describe: string
}

/** Why a mail is not tried again, as administrators are told. */
export const MAIL_REFUSALS = [
  'not-an-address',
  'refused-sender',
  'refused-address',
  'refused-message',
] as const
export type MailRefusal = (typeof MAIL_REFUSALS)[number]
/** The connection was lost when the server had the whole mail and had not said yet whether it takes it. */
export const MAY_HAVE_ARRIVED = 'may-have-arrived'

/**
 * A mail that nobody took. Its message holds nothing of the mail, nor what the server said. Tells the
 * queue whether to try again.
 */
export class MailNotSent extends Error implements JobFailure {
  override name = 'MailNotSent'
  readonly giveUp?: MailRefusal
  readonly unsure?: typeof MAY_HAVE_ARRIVED
  constructor(
    /** Of nodemailer (ECONNECTION, EAUTH, EENVELOPE, …) or the operating system. */
    readonly code: string,
    /** The server's three digits, if it came to that. */
    readonly responseCode?: number,
    { giveUp, mayHaveArrived }: { giveUp?: MailRefusal; mayHaveArrived?: boolean } = {},
  ) {
    super('The mail could not be sent')
    if (giveUp) this.giveUp = giveUp
    if (mayHaveArrived) this.unsure = MAY_HAVE_ARRIVED
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
  /** How many days a mail lies there after its own; 0 keeps them. */
  outboxDays?: number
  /** Hears in a line what a mail that became a file is about, and its link, where it brings one. */
  tell?: (line: string) => void
  patienceMs?: number
  now?: () => Date
}): Mailer {
  const { now = () => new Date() } = settings
  const from = senderOf(settings.from)
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1)
  const messageOf = ({ id, to, subject, text, html, replyTo, headers = {} }: Mail) => {
    if (!isOneAddress(to) || !isOneAddress(replyTo ?? to))
      throw new MailNotSent('EADDRESS', undefined, { giveUp: 'not-an-address' })
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
      messageId: `<${id ?? randomBytes(16).toString('hex')}@${domain}>`,
      // A text that looks like a path or an address is a text.
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
    // The queue tries again by itself; once at once, for a connection that the server closed before it
    // was sent a byte of the mail.
    maxRequeues: 1,
    connectionTimeout: patienceMs,
    greetingTimeout: patienceMs,
    socketTimeout: patience ?? LOOKING_PATIENCE_MS,
    dnsTimeout: patienceMs,
    // How we greet the server ends up in the mail's headers: not with the name of the machine.
    ...(url.searchParams.has('name') ? {} : { name: domain }),
    url: smtpUrl,
  } as Parameters<typeof createTransport>[0])
  transport.use('stream', (mail, done) => {
    watchReading(mail as unknown as Composed)
    done()
  })
  // Each mail's failure is thrown to its sender; without a listener it would also end the process.
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

/** Whether the whole mail was read off to be sent: then its end is on the way to the server. */
interface Reading {
  isOver: boolean
}
/** What nodemailer is about to send: ours with what it made of it. */
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

/** What confirms an address, or opens the way to a new password. */
const ACCOUNT_LINK = /(?<!\S)https?:\/\/[^\s?]+\/auth\/v1\/verify\?\S+/

function outboxMailer(
  settings: {
    outboxFolder: string
    outboxDays?: number
    tell?: (line: string) => void
    now: () => Date
  },
  messageOf: MessageOf,
): Mailer {
  const { outboxFolder: folder, outboxDays: days = 1, tell, now } = settings
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
        if (link) tell?.(`${mail.subject}: ${link}`)
      }),
    sweep: () => sweepOutbox(folder, { days, now: now() }),
    close: () => transport.close(),
  }
}

/** Errors of nodemailer quote addresses and the server's words. */
async function withoutDetails(send: () => Promise<unknown>, reading?: Reading): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (error instanceof MailNotSent) throw error
    const failure = error as { code?: unknown; responseCode?: unknown; command?: unknown }
    const code = typeof failure.code === 'string' ? failure.code : 'EUNKNOWN'
    const responseCode = typeof failure.responseCode === 'number' ? failure.responseCode : undefined
    throw new MailNotSent(code, responseCode, {
      giveUp: refusalOf(code, responseCode, failure.command),
      mayHaveArrived: reading?.isOver && responseCode === undefined,
    })
  }
}

/** What a server says of this mail for good. What it says of the session, or for now, may change. */
function refusalOf(code: string, responseCode = 0, command: unknown): MailRefusal | undefined {
  const isOfTheMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isOfTheMail || responseCode < 500 || OF_THE_SESSION.includes(responseCode)) return undefined
  if (command === 'MAIL FROM') return 'refused-sender'
  return command === 'RCPT TO' ? 'refused-address' : 'refused-message'
}

const oneLine = (text: string) => text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim()

/** Read here, because nodemailer takes a comma in a name for the end of it. */
function senderOf(text: string) {
  const named = /^(.*)<([^<>]*)>\s*$/s.exec(text)
  const name = oneLine(named?.[1] ?? '').replaceAll(/^"(.*)"$/g, '$1')
  const address = (named?.[2] ?? text).trim()
  if (!isOneAddress(address))
    throw new ConfigError(
      `The setting MAIL_FROM ("${text}") cannot be used: must be like Kettle <no-reply@kettle.example>.`,
    )
  return { name, address }
}

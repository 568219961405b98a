/** Whether the mail server lets us in. Nothing is sent. */
import { createTransport } from 'nodemailer'
import type { Config } from './config.server.ts'
import { about, type Finding } from './doctor.server.ts'

const PATIENCE_MS = 8_000

const CAUSES: Record<string, string> = {
  EAUTH: 'it refuses the user or the password in SMTP_URL',
  EDNS: 'its name is unknown: look at the host in SMTP_URL',
  ECONNECTION: 'nobody answers there: look at host and port in SMTP_URL, and at the firewall',
  ESOCKET: 'nobody answers there: look at host and port in SMTP_URL, and at the firewall',
  ETIMEDOUT: 'it does not answer in time: look at port and firewall',
  ETLS: 'no TLS came about: smtps:// is for port 465, smtp:// for 587',
}

export async function mailFindings({ mail }: Pick<Config, 'mail'>): Promise<Finding[]> {
  const { ok, warning, problem } = about('mail')
  if (!mail.smtpUrl)
    return [warning('SMTP_URL is not set: mails become files in DATA_DIR/outbox and reach nobody.')]
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
  } as Parameters<typeof createTransport>[0])
  try {
    await transport.verify()
    return [ok('The mail server takes mails from us.')]
  } catch (error) {
    // Its message quotes the server, which may quote us.
    const { code = '' } = error as { code?: string }
    const known = /^\w{1,40}$/.test(code) ? code : 'unknown error'
    return [problem(`The mail server cannot be used: ${CAUSES[code] ?? known}.`)]
  } finally {
    transport.close()
  }
}

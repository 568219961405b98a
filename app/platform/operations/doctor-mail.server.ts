/** Logs in to the mail server without sending anything. */
import { createTransport } from 'nodemailer'
import type { Config } from './config.server.ts'
import { about, type Finding } from './doctor.server.ts'

const PATIENCE_MS = 8_000

const CAUSES: Record<string, string> = {
  EAUTH: 'it refuses the user or the password in SMTP_URL',
  EDNS: 'its name is unknown. Check the host in SMTP_URL',
  ECONNECTION: 'nothing answers there. Check the host and port in SMTP_URL, and the firewall',
  ESOCKET: 'nothing answers there. Check the host and port in SMTP_URL, and the firewall',
  ETIMEDOUT: 'it doesn’t answer in time. Check the port and the firewall',
  ETLS: 'TLS failed. Use smtps:// for port 465, smtp:// for 587',
}

export async function mailFindings({ mail }: Pick<Config, 'mail'>): Promise<Finding[]> {
  const { ok, warning, problem } = about('mail')
  if (!mail.smtpUrl)
    return [warning('SMTP_URL is not set. Mails become files in DATA_DIR/outbox and reach no one.')]
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
  } as Parameters<typeof createTransport>[0])
  try {
    await transport.verify()
    return [ok('The mail server accepts our mails.')]
  } catch (error) {
    // Its message quotes the server, which may quote us.
    const { code = '' } = error as { code?: string }
    const known = /^\w{1,40}$/.test(code) ? code : 'unknown error'
    return [problem(`The mail server doesn’t work: ${CAUSES[code] ?? known}.`)]
  } finally {
    transport.close()
  }
}

/** Checks each setting, whether settings contradict each other, and the mail server they name. */

import { createTransport } from 'nodemailer'
import { type Config, ConfigError, readConfig, SETTING_NAMES } from './config.server.ts'
import { type Finding, findingsAbout } from './doctor.server.ts'

type Environment = Record<string, string | undefined>

const { ok, warning, problem } = findingsAbout('settings')

export function usableSettings(environment: Environment): { config?: Config; findings: Finding[] } {
  try {
    const config = readConfig(environment)
    const findings = [...addressFindings(config), ...contradictions(config, environment)]
    if (findings.every(({ level }) => level === 'ok')) findings.push(ok('All settings are valid.'))
    return { config, findings }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { findings: error.message.split('\n').map((sentence) => problem(sentence)) }
  }
}

/** @param names from `.env`, which may also have other programs' settings */
export const unknownSettings = (names: string[]): Finding[] =>
  names
    .filter((name) => !SETTING_NAMES.includes(name))
    .map((name) => warning(`${name} in .env isn’t a Kettle setting. Check the spelling.`))

const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/

const urlOf = ({ siteUrl }: Pick<Config, 'siteUrl'>) => (siteUrl ? new URL(siteUrl) : undefined)
const isPublicUrl = (url: URL | undefined) => url !== undefined && !LOOPBACK.test(url.hostname)

/** Whether the site has a public name and TLS. Empty if so. */
export function addressFindings(config: Pick<Config, 'siteUrl'>): Finding[] {
  const url = urlOf(config)
  if (!url)
    return [
      warning(
        'SITE_URL isn’t set, so links in emails point to this machine. Set it to the public URL.',
      ),
    ]
  if (isPublicUrl(url) && url.protocol !== 'https:')
    return [
      problem(
        'SITE_URL doesn’t start with https, so passwords would be sent unencrypted. Put a TLS proxy in front (docs/operations.md).',
      ),
    ]
  return []
}

function* contradictions(config: Config, environment: Environment): Generator<Finding> {
  const isPublic = isPublicUrl(urlOf(config))
  if (isPublic && config.isDevelopment)
    yield problem(
      'NODE_ENV is development on a public site, and everyone knows the demo passwords. Unset it.',
    )
  if (config.trustProxy === true)
    yield problem(
      'TRUST_PROXY is true, so clients can claim any address and get around every rate limit. Set it to the number of proxies in front, usually 1.',
    )
  else if (isPublic && config.trustProxy === false)
    yield warning(
      'TRUST_PROXY isn’t set, so behind a proxy all visitors share one rate limit. Set it to the number of proxies in front, usually 1.',
    )
  if (isPublic && !config.hasRateLimits)
    yield warning('RATE_LIMITS is off, so passwords can be guessed at full speed. Unset it.')
  if (isPublic && config.proofOfWork === 0)
    yield warning('PROOF_OF_WORK is 0, so bots can post as fast as they like. Unset it.')
  if (!config.mail.smtpUrl && !config.auth.autoconfirm)
    yield problem(
      'AUTH_AUTOCONFIRM is false without SMTP_URL, so no one gets the link to finish signing up. Set SMTP_URL.',
    )
  if (config.mail.smtpUrl && /@kettle\.example>?$/.test(config.mail.from))
    yield problem(
      'Emails would come from kettle.example, which isn’t yours. Set SITE_URL, CONTACT_DOMAIN or MAIL_FROM.',
    )
  if (!config.auth.ownerEmail)
    yield warning(
      'OWNER_EMAIL isn’t set, so no one can decide on company requests. Set it to the owner’s account.',
    )
  if (isPublic && config.auth.adminSecondFactor === 'offered')
    yield warning(
      'ADMIN_SECOND_FACTOR is offered, so a password alone can get someone into an administrator’s account. Set it to required.',
    )
  if (isPublic && config.starter === 'demo')
    yield warning(
      'STARTER is demo, so an empty public site would start with made-up people. Set it to companies or none.',
    )
  if (
    isPublic &&
    environment.AUTH_SIGNING_KEYS === undefined &&
    environment.SECRET_KEY !== undefined
  )
    yield ok('SECRET_KEY is set, but AUTH_SIGNING_KEYS isn’t. Keep its file in DATA_DIR too.')
}

const PATIENCE_MS = 8_000

const CAUSES: Record<string, string> = {
  EAUTH: 'it rejects the user or password in SMTP_URL',
  EDNS: 'the host name is unknown. Check the host in SMTP_URL',
  ECONNECTION: 'nothing is responding there. Check the host and port in SMTP_URL, and the firewall',
  ESOCKET: 'nothing is responding there. Check the host and port in SMTP_URL, and the firewall',
  ETIMEDOUT: 'it took too long to respond. Check the port and the firewall',
  ETLS: 'TLS failed. Use smtps:// for port 465, smtp:// for 587',
}

/** Logs in to the mail server without sending anything. */
export async function mailFindings({
  mail,
}: {
  mail: Pick<Config['mail'], 'smtpUrl'>
}): Promise<Finding[]> {
  const { ok, warning, problem } = findingsAbout('mail')
  if (!mail.smtpUrl)
    return [warning('SMTP_URL isn’t set. Emails are written to DATA_DIR/outbox and never sent.')]
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    dnsTimeout: PATIENCE_MS,
  } as Parameters<typeof createTransport>[0])
  try {
    await transport.verify()
    return [ok('The mail server accepts our email.')]
  } catch (error) {
    // The error's message quotes the server, which may quote our password.
    const { code = '' } = error as { code?: string }
    const known = /^\w{1,40}$/.test(code) ? code : 'unknown error'
    return [problem(`The mail server doesn’t work: ${CAUSES[code] ?? known}.`)]
  } finally {
    transport.close()
  }
}

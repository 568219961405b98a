/** Whether the settings can be used, and whether they go together. Looks at nothing else. */

import { createMailer } from '../mail/mail.server.ts'
import { type Config, ConfigError, readConfig } from './config.server.ts'
import { about, type Finding } from './doctor.server.ts'

type Environment = Record<string, string | undefined>

const { ok, warning, problem } = about('settings')

/** The settings where they can be used at all; else the finding that says why not. */
export function usableSettings(environment: Environment): { config?: Config; findings: Finding[] } {
  try {
    const config = readConfig(environment)
    // Only made, never used: it looks at MAIL_FROM.
    createMailer({ from: config.mail.from, outboxFolder: config.dataDir }).close()
    return { config, findings: contradictions(config, environment) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    // What it was set to may be a password.
    return { findings: [problem(withoutValue(error.message))] }
  }
}

/** Of `The setting X ("…") cannot be used: …`: without what stands there, whatever signs it holds. */
function withoutValue(sentence: string) {
  const [start, end] = [sentence.indexOf(' ("'), sentence.lastIndexOf('") cannot be used')]
  return start < 0 || end < start ? sentence : sentence.slice(0, start) + sentence.slice(end + 2)
}

const LOOPBACK = /^(localhost|127\.[\d.]+|\[?::1\]?)$/

const urlOf = ({ siteUrl }: Pick<Config, 'siteUrl'>) => (siteUrl ? new URL(siteUrl) : undefined)
const isPublicUrl = (url: URL | undefined) => url !== undefined && !LOOPBACK.test(url.hostname)

/** Whether people reach the site by a name of its own, and nobody reads along; empty where they do. */
export function addressFindings(config: Pick<Config, 'siteUrl'>): Finding[] {
  const url = urlOf(config)
  if (!url)
    return [
      warning(
        'SITE_URL isn’t set, so links in mails lead to this machine. Set it to the address that people type.',
      ),
    ]
  if (isPublicUrl(url) && url.protocol !== 'https:')
    return [
      problem(
        'SITE_URL doesn’t begin with https, so passwords would travel in the open. Put a proxy with TLS in front (docs/operations.md).',
      ),
    ]
  return []
}

function contradictions(config: Config, environment: Environment): Finding[] {
  const found = addressFindings(config)
  const isPublic = isPublicUrl(urlOf(config))
  if (isPublic && config.development)
    found.push(
      problem(
        'NODE_ENV is development on a public site, and everyone knows the demo passwords. Unset it.',
      ),
    )
  if (config.trustProxy === true)
    found.push(
      problem(
        'TRUST_PROXY is true, so anyone can claim any network, and no rate limit holds. Set it to the number of proxies in front, usually 1.',
      ),
    )
  else if (isPublic && config.trustProxy === false)
    found.push(
      warning(
        'TRUST_PROXY isn’t set, so behind a proxy all visitors share one rate limit. Set it to the number of proxies in front, usually 1.',
      ),
    )
  if (isPublic && !config.hasRateLimits)
    found.push(
      warning('RATE_LIMITS is off, so anyone can guess passwords at full speed. Unset it.'),
    )
  if (isPublic && config.proofOfWork === 0)
    found.push(warning('PROOF_OF_WORK is 0, so programs can post as fast as they like. Unset it.'))
  if (!config.mail.smtpUrl && !config.auth.autoconfirm)
    found.push(
      problem(
        'AUTH_AUTOCONFIRM is false without SMTP_URL, so no one gets the link that signing up waits for. Set SMTP_URL.',
      ),
    )
  if (config.mail.smtpUrl && /@kettle\.example>?$/.test(config.mail.from))
    found.push(
      problem(
        'Mails would come from kettle.example, which isn’t yours. Set SITE_URL, CONTACT_DOMAIN or MAIL_FROM.',
      ),
    )
  if (!config.auth.ownerEmail)
    found.push(
      warning(
        'OWNER_EMAIL isn’t set, so no one can decide on company requests. Set it to the owner’s account.',
      ),
    )
  if (isPublic && config.auth.adminSecondFactor === 'offered')
    found.push(
      warning(
        'ADMIN_SECOND_FACTOR is offered, so a password alone may open an administrator’s account. Set it to required.',
      ),
    )
  if (isPublic && config.starter === 'demo')
    found.push(
      warning(
        'STARTER is demo, so an empty public site would open with made-up people. Set it to companies or none.',
      ),
    )
  if (
    isPublic &&
    environment.AUTH_SIGNING_KEYS === undefined &&
    environment.SECRET_KEY !== undefined
  )
    found.push(ok('SECRET_KEY is set and AUTH_SIGNING_KEYS isn’t. Keep its file in DATA_DIR, too.'))
  if (!found.some(({ level }) => level !== 'ok')) found.push(ok('All settings can be used.'))
  return found
}

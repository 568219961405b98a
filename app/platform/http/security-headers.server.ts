import { createHash } from 'node:crypto'
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import type { Config } from '../operations/config.server.ts'

/** Sources that the analytics provider needs. Only used if the operator set it up (S20). */
const ANALYTICS_CODE = 'https://www.googletagmanager.com'
const ANALYTICS_COUNTS = [
  ANALYTICS_CODE,
  'https://*.google-analytics.com',
  'https://*.analytics.google.com',
]

/** Markup and script URLs come only from our policy. See kit/ui/trusted.ts. */
const TRUSTED_TYPES = { requireTrustedTypesFor: ["'script'"], trustedTypes: ['kettle'] }

/**
 * Has no `unsafe-*`, because scripts, styles and fonts come from our own origin, except `inlineScript`, which is in
 * each page. In development, the build tool inlines scripts and styles, and needs more.
 */
export function securityHeaders(
  config: Config,
  inlineScript?: string,
): [name: string, value: string][] {
  const https = config.siteUrl?.startsWith('https:') ?? false
  const unsafeForHotReload = config.isDevelopment ? ["'unsafe-inline'"] : []
  // Browsers ignore 'unsafe-inline' next to a hash.
  const hashes = inlineScript && !config.isDevelopment ? [hashOf(inlineScript)] : []
  const analyticsCode = config.analyticsId ? [ANALYTICS_CODE] : []
  const analyticsCounts = config.analyticsId ? ANALYTICS_COUNTS : []
  // The build tool's and the provider's code don't use trusted types.
  const hasTrustedTypes = !config.isDevelopment && !config.analyticsId
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...hashes, ...analyticsCode, ...unsafeForHotReload],
        styleSrc: ["'self'", ...unsafeForHotReload],
        imgSrc: ["'self'", 'data:', ...analyticsCounts],
        fontSrc: ["'self'"],
        connectSrc: [
          "'self'",
          ...analyticsCounts,
          ...config.issuerWitnesses.map((url) => new URL(url).origin),
          ...(config.isDevelopment ? ['ws:'] : []),
        ],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(hasTrustedTypes ? TRUSTED_TYPES : {}),
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    // This header costs us nothing, because all files are our own. The analytics provider doesn't support it.
    crossOriginEmbedderPolicy:
      config.analyticsId || config.isDevelopment ? false : { policy: 'require-corp' },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  middleware(answer.req, answer, () => {})
  answer.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  return Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)])
}

/**
 * The headers for a request's host. An onion address has no TLS, because Tor encrypts. HSTS and upgrades to https
 * would break its pages. If there's no onion address, `onion` is `own`.
 */
export function headersByHost(config: Config, inlineScript?: string) {
  const own = securityHeaders(config, inlineScript)
  const { onionUrl } = config
  const onion = onionUrl ? securityHeaders({ ...config, siteUrl: onionUrl }, inlineScript) : own
  const host = onionUrl && new URL(onionUrl).host
  const isOnion = ({ headers }: Pick<IncomingMessage, 'headers'>) =>
    host !== undefined && headers.host?.toLowerCase() === host
  return { own, onion, isOnion }
}

/** Lets a policy name an inline script or style. */
export const hashOf = (content: string) =>
  `'sha256-${createHash('sha256').update(content).digest('base64')}'`

/** The headers that every answer carries, whoever sends it: made once by helmet. */
import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import helmet from 'helmet'
import type { Config } from './config.server.ts'

/**
 * No `unsafe-*` anywhere: scripts, styles and fonts come from our own origin only. In development
 * the build tool puts scripts and styles into the page and needs more.
 */
export function securityHeaders(config: Config): [name: string, value: string][] {
  const https = config.siteUrl?.startsWith('https:') ?? false
  const unsafeForHotReload = config.development ? ["'unsafe-inline'"] : []
  const middleware = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...unsafeForHotReload],
        styleSrc: ["'self'", ...unsafeForHotReload],
        imgSrc: ["'self'", 'data:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...(config.development ? ['ws:'] : [])],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(https ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    xFrameOptions: { action: 'deny' },
  })
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  middleware(answer.req, answer, () => {})
  answer.setHeader('permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=()')
  return Object.entries(answer.getHeaders()).map(([name, value]) => [name, String(value)])
}

import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Http } from '#app/platform/http/http.server.ts'
import { ISSUER_PATH } from './credential.ts'

/**
 * One URL, the same for everyone, so no one can be given keys of their own unnoticed. The keys
 * change by quarter and are published a quarter ahead.
 */
const AN_HOUR = 'public, max-age=3600'

export function serveIssuerKeys(http: Http, issuer: Pick<Issuer, 'publicKeys'>) {
  http.get(ISSUER_PATH, { schema: { hide: true } }, (_request, reply) =>
    reply.header('cache-control', AN_HOUR).send({
      version: 'KettleARCV1-P256',
      keys: issuer.publicKeys().map(({ quarter, publicKey }) => ({
        quarter,
        publicKey: Buffer.from(publicKey).toString('base64url'),
      })),
    }),
  )
}

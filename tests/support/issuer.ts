/** Issues credentials in tests. Its threads start with the first request. */
import {
  createIssuer,
  type Issuer,
  type IssuerKeyStore,
  type StoredKey,
} from '#app/api/credential/issuer.server.ts'
import { firstDayOf, quartersAhead } from '#app/api/credential/quarter.ts'
import { ISSUER_META, ISSUER_PATH } from '#app/identity/credentials/credential.ts'
import { derivedIssuerKeys } from '#app/identity/credentials/issuer-keys.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { NOW, testSecrets } from './database.ts'

/** A chain derived from the secrets, so it needs no database. The issuer starts before any test's day. */
function chainOf(secrets: Pick<Secrets, 'hash'>): IssuerKeyStore {
  const keys: StoredKey[] = []
  let day = '2025-09-30'
  return async (quarters) => {
    while (!quarters.every((quarter) => keys.some((key) => key.quarter === quarter))) {
      const [quarter = '', next = ''] = quartersAhead(day)
      keys.push({ quarter, ...derivedIssuerKeys(secrets, quarter) })
      day = firstDayOf(next)
    }
    return keys
  }
}

export const issuerOn = (today: () => string, secrets: Pick<Secrets, 'hash'> = testSecrets) =>
  createIssuer(chainOf(secrets), today)

export const testIssuer = issuerOn(() => dayOf(NOW))

/** What a browser requests before it accepts a key: the list, and a page that names its digest. */
export const isOfIssuer = (path: string) => path === ISSUER_PATH || path === '/'

export async function answerOfIssuer({ list }: Pick<Issuer, 'list'>, path: string) {
  const listed = await list()
  const page = `<head><meta name="${ISSUER_META}" content="${listed.digest}"></head>`
  return new Response(path === '/' ? page : JSON.stringify(listed))
}

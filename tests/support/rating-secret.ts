/** A browser that has a credential to rate with, as after a first rating. For journeys. */
import type { Page } from 'playwright-core'
import { vi } from 'vitest'
import { createClient, type Transport } from '../../app/api/client.ts'
import type { AccountContract } from '../../app/features/accounts/account.contract.ts'
import type { CredentialContract } from '../../app/features/credentials/credential.contract.ts'
import { credentialOf } from '../../app/features/credentials/issuing.data.ts'
import type { Site } from './server.ts'

/** Of whoever is signed in there. The code of the browser runs here, and what it keeps is carried over. */
export async function beginRating({ url }: Site, page: Page) {
  const token = await page.evaluate(
    () => JSON.parse(localStorage.getItem('kettle-auth') ?? '').access_token,
  )
  const transport: Transport = async ({ method, url: path, body }) => {
    const response = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
    })
    return { status: response.status, json: await response.json() }
  }
  const { profile } = await createClient<AccountContract>(transport)('GET /api/v1/me')
  if (!profile) throw new Error('Nobody is signed in there')
  const kept = new Map<string, string>()
  const { fetch: fetchWhole } = globalThis
  vi.stubGlobal('fetch', (path: string | URL, options?: RequestInit) =>
    fetchWhole(new URL(path, url), options),
  )
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  })
  try {
    await credentialOf(createClient<CredentialContract>(transport), profile.id)
  } finally {
    vi.unstubAllGlobals()
  }
  await page.evaluate(
    (entries) => {
      for (const [key, value] of entries) localStorage.setItem(key, value)
    },
    [...kept],
  )
}

/** What this page's browser holds to rate with, in base64url. */
export const secretIn = (page: Page) =>
  page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith('kettle-holder:'))
    return key ? (JSON.parse(localStorage.getItem(key) ?? '').m1 as string) : undefined
  })

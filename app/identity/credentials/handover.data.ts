/**
 * Moves a secret and the list of its ratings to another device. The first device shows a code that has the only key, in
 * an address's fragment, which browsers don't send. The server keeps sealed bytes under an id derived from the key.
 */
import { anonymousTransport, createClient } from '#app/api/client.ts'
import type { CredentialContract } from './credential.contract.ts'
import {
  fromBase64url,
  HANDOVER_FRAGMENT,
  HANDOVER_TEXT_BYTES,
  KEY_BYTES,
  toBase64url,
} from './credential.ts'
import { storedHolder } from './holder.data.ts'
import { type CredentialApi, restoreSecret } from './issuing.data.ts'
import { SecretElsewhere } from './issuing-problem.data.ts'
import { type Handover, keepHandover, type MovedRating } from './own-credential.data.ts'
import {
  changeSubmission,
  isGiven,
  noteSecretShared,
  randomTimeLater,
  submissionsBy,
  withCurrentNames,
} from './rated.data.ts'
import { isRating, kindOf, type ServerRating, type Submission } from './rated.ts'
import { type Bytes, decrypted, encrypted } from './vault.ts'

const anonymousApi = createClient<CredentialContract>(anonymousTransport)

/**
 * Seals this browser's secret for two minutes.
 * @returns the fragment for the code's address
 * @throws ApiError, SecretElsewhere without a secret
 */
export async function sealHandover(sessionKey: string): Promise<string> {
  const holder = storedHolder(sessionKey)
  if (!holder || holder.isRefused) throw new SecretElsewhere()
  const code = crypto.getRandomValues(new Uint8Array(KEY_BYTES))
  const { id, key } = await derived(code)
  const text = handoverText({ m1: holder.m1, r: holder.r, rated: movedRatings(sessionKey) })
  const sealed = await encrypted(key, text)
  await anonymousApi('PUT /api/v1/handovers/{id}', {
    params: { id },
    body: { sealed: toBase64url(sealed) },
  })
  noteSecretShared(sessionKey)
  return HANDOVER_FRAGMENT + toBase64url(code)
}

/** The other device looks for ratings that aren't sent yet. */
const movedRatings = (sessionKey: string): MovedRating[] =>
  Object.entries(submissionsBy(sessionKey))
    .filter(([, submission]) => isGiven(submission))
    .map(([id, submission]) => {
      const { name, path, formerIds, outgoing, onServer } = submission
      const known = isRating(id) ? outgoing === undefined && onServer : sentOf(submission)
      return { ...{ id, name, path, formerIds }, ...(known && { onServer: withoutPost(known) }) }
    })

/** The site never lists other submissions, so the other device takes them from here, as if they were sent. */
const sentOf = ({ outgoing, onServer }: Submission): ServerRating<object> | undefined =>
  outgoing
    ? {
        rating: outgoing.rating,
        published: null,
        isUnpublished: false,
        version: outgoing.version ?? 0,
      }
    : onServer

/** The other device asks again what moderators did to a note. */
const withoutPost = ({ post: _, ...known }: ServerRating<object>) => known

/** Padded to one size, so it doesn't reveal how many ratings there are. Ratings that don't fit are left out. */
function handoverText(handover: Handover): Bytes {
  const text = new TextEncoder().encode(JSON.stringify(handover))
  if (text.length > HANDOVER_TEXT_BYTES)
    return handoverText({ ...handover, rated: handover.rated.slice(0, -1) })
  const padded = new Uint8Array(HANDOVER_TEXT_BYTES).fill(0x20)
  padded.set(text)
  return padded
}

async function derived(code: Bytes) {
  const material = await crypto.subtle.importKey('raw', code, 'HKDF', false, [
    'deriveBits',
    'deriveKey',
  ])
  const use = (info: string) => ({
    ...{ name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array() },
    info: new TextEncoder().encode(`kettle handover ${info}`),
  })
  const id = await crypto.subtle.deriveBits(use('id'), material, KEY_BYTES * 8)
  const aes = { name: 'AES-GCM', length: 256 }
  return {
    id: toBase64url(new Uint8Array(id)),
    key: await crypto.subtle.deriveKey(use('key'), material, aes, false, ['encrypt', 'decrypt']),
  }
}

/**
 * Immediately takes what the other device sealed, and keeps it in this tab until the person has logged in. @param
 * fragment of the code's address @throws ApiError if it has expired, Error if the code's device sealed something else
 */
export async function receiveHandover(fragment: string) {
  const { id, key } = await derived(fromBase64url(fragment.slice(HANDOVER_FRAGMENT.length)))
  const { sealed } = await anonymousApi('POST /api/v1/handovers/{id}/take', { params: { id } })
  const opened = await decrypted(key, fromBase64url(sealed))
  if (!opened) throw new Error('The code’s device sealed something else')
  keepHandover(JSON.parse(new TextDecoder().decode(opened), withCurrentNames) as Handover)
}

/** The other device may have changed or removed these ratings meanwhile, so we ask about each, hours apart. */
const ROUND_MS = [8 * 3_600_000, 30 * 3_600_000] as const

/**
 * Replaces this browser's secret, if the other one is still the account's.
 * @throws SecretElsewhere if not, and as `restoreSecret`
 */
export async function acceptHandover(
  api: CredentialApi,
  sessionKey: string,
  { m1, r, rated }: Handover,
) {
  await restoreSecret(api, sessionKey, { m1: fromBase64url(m1), r: fromBase64url(r) })
  noteSecretShared(sessionKey)
  for (const { id, ...moved } of rated)
    changeSubmission(sessionKey, id, (now) => {
      if (now && !now.mayExistElsewhere) return now
      if (!isRating(id))
        return kindOf(id) === 'interview' ? { ...moved, checkAt: randomTimeLater(ROUND_MS) } : moved
      return moved.onServer
        ? { ...moved, checkAt: randomTimeLater(ROUND_MS) }
        : { ...moved, mayExistElsewhere: true, checkAt: randomTimeLater() }
    })
}

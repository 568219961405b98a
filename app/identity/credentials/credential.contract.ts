import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { LookupText } from '#app/api/schemas.ts'
import {
  FIRST_REQUEST_BYTES,
  HANDOVER_BYTES,
  KEY_BYTES,
  RENEWAL_BYTES,
  RESPONSE_BYTES,
  VAULT_BYTES,
} from './credential.ts'

const textLength = (length: number) => Math.ceil((length * 4) / 3)

/** Base64url without padding, of one of these byte lengths. */
export const bytes = (...lengths: number[]) =>
  z
    .base64url()
    .refine(
      (text) => lengths.some((length) => text.length === textLength(length)),
      `This must be ${lengths.join(' or ')} bytes as base64url`,
    )

export const Quarter = LookupText(7).regex(/^\d{4}-Q[1-4]$/, 'A quarter looks like 2026-Q4')

/** One key for the company, and one for each company merged into it. */
export const HolderKeys = z.array(bytes(KEY_BYTES)).min(1).max(50)

/** Many people share a network. */
export const HOLDER_KEYS_LIMIT = { name: 'ratings-by-key', seconds: 60, network: 600 }

/** Issuing takes 40 ms of CPU, and few people have many devices. */
const ISSUING_LIMIT = { name: 'credentials', seconds: 600, person: 20, network: 200 }

/** Derived from a handover's code. */
const HandoverId = z.object({ id: bytes(KEY_BYTES) })
const HANDOVER_LIMIT = { name: 'handovers', seconds: 600, network: 100 }

/** Goes along with every secret's first credential, so having a vault reveals nothing. Never replaces one. */
const FirstVault = bytes(VAULT_BYTES)
  .optional()
  .describe('The sealed secret for other devices, stored if the account has none')
const Issued = z.object({
  response: bytes(RESPONSE_BYTES),
  isKept: z.boolean().describe('Whether the sealed secret was stored'),
})

export const credentialContract = {
  'GET /api/v1/my/credential': {
    summary:
      'Whether this account has ever had a credential, and the sealed secret for its other devices',
    ok: z.object({
      isCommitted: z.boolean(),
      anewFrom: z.string().nullable().describe('The first day you can replace a lost secret'),
      vault: z.string().nullable(),
    }),
    flag: 'enableCompanies',
    access: 'signedIn',
  },
  'POST /api/v1/my/credential': {
    summary:
      'Get the first credential for a secret that stays in the browser. Requires a recent login',
    body: z.object({
      quarter: Quarter,
      request: bytes(FIRST_REQUEST_BYTES),
      isAnew: z.boolean().default(false).describe('Replaces a lost secret'),
      vault: FirstVault,
    }),
    ok: Issued,
    flag: 'enableCompanies',
    access: 'rater',
    requiresRecentLogin: true,
    limit: ISSUING_LIMIT,
    changes: 'nothing',
  },
  'POST /api/v1/my/credential/renewal': {
    summary: 'Get this quarter’s credential for the account’s secret',
    body: z.object({ quarter: Quarter, request: bytes(RENEWAL_BYTES), vault: FirstVault }),
    ok: Issued,
    flag: 'enableCompanies',
    access: 'rater',
    limit: ISSUING_LIMIT,
  },
  'PUT /api/v1/my/credential/vault': {
    summary: 'Store the sealed secret for other devices. Replacing it requires a recent login',
    body: z.object({ sealed: bytes(VAULT_BYTES) }),
    ok: z.object({ isKept: z.literal(true) }),
    flag: 'enableCompanies',
    access: 'confirmed',
    limit: ISSUING_LIMIT,
  },
  'PUT /api/v1/handovers/{id}': {
    summary:
      'Keep an encrypted secret for your other device, for two minutes. We can’t open it, and don’t learn whose it is',
    params: HandoverId,
    body: z.object({ sealed: bytes(HANDOVER_BYTES) }),
    ok: z.object({ isKept: z.literal(true) }),
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    limit: HANDOVER_LIMIT,
  },
  'POST /api/v1/handovers/{id}/take': {
    summary: 'Get the secret that your other device just sealed. This works once',
    params: HandoverId,
    ok: z.object({ sealed: bytes(HANDOVER_BYTES) }),
    flag: 'enableCompanies',
    access: 'anyone',
    mustBeAnonymous: true,
    limit: HANDOVER_LIMIT,
  },
} satisfies Contract

export type CredentialContract = typeof credentialContract

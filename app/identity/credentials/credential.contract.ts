/** How an account gets a credential, which then names nobody, and keeps its secret for other devices. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import {
  FIRST_REQUEST_BYTES,
  KEY_BYTES,
  RENEWAL_BYTES,
  RESPONSE_BYTES,
  VAULT_BYTES,
} from './credential.ts'

const textLength = (length: number) => Math.ceil((length * 4) / 3)

/** As many bytes as one of `lengths`, in base64url without padding. */
export const bytes = (...lengths: number[]) =>
  z
    .base64url()
    .refine(
      (text) => lengths.some((length) => text.length === textLength(length)),
      `This holds ${lengths.join(' or ')} bytes as base64url`,
    )

export const Quarter = z
  .string()
  .max(7)
  .regex(/^\d{4}-Q[1-4]$/, 'A quarter reads 2026-Q4')

/** What finds a person’s ratings: of a company, and of those that became part of it. */
export const HolderKeys = z.array(bytes(KEY_BYTES)).min(1).max(50)

/** Many people share a network. */
export const HOLDING = { name: 'held-ratings', seconds: 60, network: 600 }

/** Nobody has so many devices; issuing takes 40 ms of processor. */
const ISSUING = { name: 'credentials', seconds: 600, person: 20, network: 200 }

export const credentialContract = {
  'GET /api/v1/my/credential': {
    summary:
      'Whether this account has had a credential, and the sealed secret for its other devices',
    ok: z.object({
      isCommitted: z.boolean(),
      anewFrom: z
        .string()
        .nullable()
        .describe('From this day on, who lost the secret may begin with another one'),
      vault: z.string().nullable(),
    }),
    flag: 'enableCompanies',
    access: 'member',
  },
  'POST /api/v1/my/credential': {
    summary:
      'Begin with a secret that stays in the browser: the first credential over it. Confirm first who you are',
    body: z.object({
      quarter: Quarter,
      request: bytes(FIRST_REQUEST_BYTES),
      isAnew: z.boolean().default(false).describe('The secret of before is lost'),
    }),
    ok: z.object({ response: bytes(RESPONSE_BYTES) }),
    flag: 'enableCompanies',
    access: 'confirmed',
    recent: true,
    limit: ISSUING,
  },
  'POST /api/v1/my/credential/renewal': {
    summary: 'Another credential, of this quarter, over the secret that the account has',
    body: z.object({ quarter: Quarter, request: bytes(RENEWAL_BYTES) }),
    ok: z.object({ response: bytes(RESPONSE_BYTES) }),
    flag: 'enableCompanies',
    access: 'confirmed',
    limit: ISSUING,
  },
  'PUT /api/v1/my/credential/vault': {
    summary:
      'Keep the sealed secret for other devices; who has kept one confirms first who they are',
    body: z.object({ sealed: bytes(VAULT_BYTES) }),
    ok: z.object({ isKept: z.literal(true) }),
    flag: 'enableCompanies',
    access: 'confirmed',
    limit: ISSUING,
  },
} satisfies Contract

export type CredentialContract = typeof credentialContract

/** Only the owner's responses contain addresses. */
import { z } from 'zod'
import type { Contract } from '#app/api/contract.ts'
import { SpamCheck, Uuid, WrittenText } from '#app/api/schemas.ts'
import { EMAIL_MAX } from '#app/identity/accounts/account.ts'
import { AddedCompanyBody } from '../importing/imports.contract.ts'
import { WEB_ADDRESS_MAX } from '../web-address.ts'
import { REQUEST_NAME_MAX, REQUEST_STATUSES } from './company-request.ts'
import { DELETE_REFUSALS, LIST_REFUSALS } from './request-review.ts'

const RequestId = z.object({ id: Uuid })

const KnownCompany = z.object({
  id: Uuid,
  name: z.string(),
  path: z.string(),
  category: z.string(),
  logoUrl: z.string().nullable(),
})
export type KnownCompany = z.output<typeof KnownCompany>

const CompanyRequest = z.object({
  id: Uuid,
  companyName: z.string(),
  companyWebsite: z.string().nullable(),
  status: z.enum(REQUEST_STATUSES),
  requesterEmail: z.string().describe('A placeholder if the person left no address'),
  notify: z.boolean(),
  createdOn: z.string().describe('A day'),
  company: KnownCompany.nullable().describe('The company added for it or linked to it'),
  duplicates: z
    .array(KnownCompany)
    .describe('Companies that could be the requested one, most likely first'),
})
export type CompanyRequest = z.output<typeof CompanyRequest>

const Decided = z.object({
  status: z.enum(REQUEST_STATUSES),
  company: z.object({ name: z.string(), path: z.string() }).nullable(),
})

const LIST_REFUSAL = {
  signedOut: LIST_REFUSALS.signedOut,
  forbidden: LIST_REFUSALS.notOwner,
  unappointed: LIST_REFUSALS.noAdminRow,
}
const DELETE_REFUSAL = {
  signedOut: DELETE_REFUSALS.signedOut,
  forbidden: DELETE_REFUSALS.notOwner,
  unappointed: DELETE_REFUSALS.noAdminRow,
}

export const requestContract = {
  'POST /api/v1/company-requests': {
    summary: 'Request a missing company',
    body: z.object({
      companyName: WrittenText(REQUEST_NAME_MAX),
      companyWebsite: WrittenText(WEB_ADDRESS_MAX).default(''),
      isNotify: z.boolean().default(false).describe('By email, when it’s added'),
      notifyEmail: WrittenText(EMAIL_MAX)
        .default('')
        .describe('A visitor’s address, for that email'),
      spamCheck: SpamCheck,
    }),
    ok: z.object({
      notice: z
        .string()
        .nullable()
        .describe('A visitor’s bearer token for one call to notify-company-request'),
    }),
    status: 201,
    flag: 'enableCompanies',
    access: 'anyone',
    limit: { name: 'requests', seconds: 600, person: 5, network: 15 },
    spamCheck: true,
  },
  'GET /api/v1/company-requests': {
    summary: 'All requests, newest first. For the owner',
    query: z.object({
      status: z.enum(REQUEST_STATUSES).optional(),
      before: z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional(),
    }),
    ok: z.object({
      total: z.number().int().describe('Requests of any status'),
      requests: z.array(CompanyRequest),
      next: z.number().int().nullable().describe('Pass it as `before` for the next page'),
    }),
    access: 'owner',
    refusal: LIST_REFUSAL,
  },
  'DELETE /api/v1/company-requests/{id}': {
    summary: 'Permanently delete a request. For the owner',
    params: RequestId,
    ok: z.object({ count: z.number().int().describe('0 if it was already deleted') }),
    access: 'owner',
    refusal: DELETE_REFUSAL,
  },
  'POST /api/v1/company-requests/{id}/approve': {
    summary: 'Add the requested company with the owner’s values. For the owner',
    params: RequestId,
    body: AddedCompanyBody,
    ok: Decided.extend({
      double: Decided.shape.company.describe(
        'The company that already has this name or website. If there is one, the request stays open',
      ),
    }),
    access: 'owner',
    refusal: LIST_REFUSAL,
  },
  'POST /api/v1/company-requests/{id}/link': {
    summary: 'Link a request to an existing company. For the owner',
    params: RequestId,
    body: z.object({ companyId: Uuid }),
    ok: Decided,
    access: 'owner',
    refusal: LIST_REFUSAL,
  },
  'POST /api/v1/company-requests/{id}/decline': {
    summary: 'Decline a request. For the owner',
    params: RequestId,
    ok: Decided,
    access: 'owner',
    refusal: LIST_REFUSAL,
  },
} satisfies Contract

export type RequestContract = typeof requestContract

/** A valid request for every endpoint, no matter who sends it. */
import type { InjectOptions } from 'light-my-request'
import { randomScalar } from '#app/api/credential/group.ts'
import {
  HANDOVER_BYTES,
  KEY_BYTES,
  PRESENTATION_BYTES,
  RENEWAL_BYTES,
  VAULT_BYTES,
} from '#app/identity/credentials/credential.ts'
import { aBenefits } from '../support/benefits.ts'
import { issuingRequestFor } from '../support/holders.ts'
import { anInterview } from '../support/interviews.ts'
import { testIssuer } from '../support/issuer.ts'
import { aPay } from '../support/pay.ts'
import { JOB, MONAS_NAME, MONAS_PASSWORD, PKCE_VERIFIER, usernameOf, type World } from './world.ts'

type Sent = Pick<InjectOptions, 'query' | 'headers' | 'payload'>

const pkce = { auth_code: '{code}', code_verifier: PKCE_VERIFIER }
const credentials = { email: '{address}', password: MONAS_PASSWORD }
const spam = { reason: 'spam' }
const QUARTER = '2026-Q1'
const noBytes = (length: number) => Buffer.alloc(length).toString('base64url')
const givenEntry = {
  quarter: QUARTER,
  presentation: noBytes(PRESENTATION_BYTES),
  holder: noBytes(KEY_BYTES),
  removal: noBytes(KEY_BYTES),
  version: 1,
}
const byKey = { keys: [noBytes(KEY_BYTES)] }
const roomProof = { pass: 'none', quarter: QUARTER, presentation: noBytes(PRESENTATION_BYTES) }
const NO_ID = '00000000-0000-4000-8000-000000000000'
const appeal = { text: 'Please look again, this is my own experience' }

/**
 * Requests by endpoint, as the table names it. An endpoint without an entry gets an empty one. `{…}` is a name from
 * the world.
 */
export const SENT: Record<string, Sent> = {
  'GET /api/v1/companies': { query: { search: 'erin' } },
  'GET /api/v1/companies/suggest': { query: { text: 'erin' } },
  'GET /api/v1/companies/compare': { query: { refs: '{company},emil-works' } },
  'GET /api/v1/pay': { query: { title: 'nurse' } },
  'GET /api/v1/thread-votes': { query: { threads: '{thread}' } },
  'POST /api/v1/company-additions': { payload: { name: 'Anvils' } },
  'POST /api/v1/companies/{company}/edits': {
    payload: { changes: { name: { from: 'Erin and Sons', to: 'Erin and Daughters' } } },
  },
  'GET /api/v1/companies/{company}/merge': { query: { into: '{otherCompany}' } },
  'POST /api/v1/companies/{company}/merge': { payload: { into: '{otherCompany}' } },
  'DELETE /api/v1/companies/{company}': { query: { name: 'Erin and Sons' } },
  'POST /api/v1/views': { payload: { companyId: '{company}' } },
  'POST /api/v1/interactions': { payload: { companyId: '{company}' } },
  'GET /api/v1/company-views': { query: { ids: '{company}' } },
  'GET /api/v1/clicks': { query: { ids: '{company}' } },

  'POST /api/v1/threads': {
    payload: {
      title: 'About Wednesdays',
      body: 'All come in.',
      topics: ['pay'],
      poll: { options: ['Yes', 'No'], days: 3 },
      idempotencyKey: '{idempotencyKey}',
    },
  },
  'PATCH /api/v1/threads/{thread}': {
    payload: { title: 'About Thursday', body: 'Few come in.', topics: ['pay'] },
  },
  'PATCH /api/v1/threads/{verasThread}': {
    payload: { title: 'About Tuesday', body: 'Few come in.', topics: [] },
  },
  'PUT /api/v1/threads/{thread}/vote': { payload: { vote: 1 } },
  'PUT /api/v1/threads/{thread}/saved': { payload: { isSaved: true } },
  'PUT /api/v1/threads/{thread}/muted': { payload: { isMuted: true } },
  'PUT /api/v1/threads/{thread}/poll': { payload: { optionIndex: 1 } },
  'POST /api/v1/threads/{thread}/comments': {
    payload: { body: 'I was not there.', idempotencyKey: '{idempotencyKey}' },
  },
  'POST /api/v1/threads/{ruled}/comments': {
    payload: { body: 'I was not there.', idempotencyKey: '{idempotencyKey}' },
  },
  'PATCH /api/v1/comments/{comment}': { payload: { body: 'I was there, it seems.' } },
  'PATCH /api/v1/comments/{verasComment}': { payload: { body: 'I was there, it seems.' } },
  'PUT /api/v1/comments/{comment}/vote': { payload: { vote: -1 } },
  'POST /api/v1/my/threads/deletion': { payload: { title: 'about thursdays' } },

  'POST /api/v1/my/credential': {
    payload: {
      quarter: QUARTER,
      request: issuingRequestFor(testIssuer, QUARTER, randomScalar()).request,
    },
  },
  'POST /api/v1/my/credential/renewal': {
    payload: { quarter: QUARTER, request: noBytes(RENEWAL_BYTES) },
  },
  'PUT /api/v1/my/credential/vault': { payload: { sealed: noBytes(VAULT_BYTES) } },
  'PUT /api/v1/handovers/{handover}': { payload: { sealed: noBytes(HANDOVER_BYTES) } },
  'POST /api/v1/my/badge': {
    payload: { companyId: '{company}', email: 'somebody@erin.example' },
  },
  'POST /api/v1/my/badge/credential': {
    payload: {
      ...{ token: 'nothing', code: 'ABC123', quarter: QUARTER },
      request: noBytes(RENEWAL_BYTES),
    },
  },
  'PUT /api/v1/companies/{company}/presented-rating': {
    payload: {
      quarter: QUARTER,
      presentation: noBytes(PRESENTATION_BYTES),
      holder: noBytes(KEY_BYTES),
      rating: { culture: 4 },
    },
  },
  'POST /api/v1/companies/{company}/rating-by-key': { payload: byKey },
  'POST /api/v1/companies/{company}/rating-by-key/remove': { payload: byKey },
  'PUT /api/v1/companies/{company}/presented-pay': {
    payload: { ...givenEntry, pay: aPay() },
  },
  'PUT /api/v1/companies/{company}/presented-benefits': {
    payload: {
      quarter: QUARTER,
      presentation: noBytes(PRESENTATION_BYTES),
      holder: noBytes(KEY_BYTES),
      removal: noBytes(KEY_BYTES),
      benefits: aBenefits(),
      version: 1,
    },
  },
  'POST /api/v1/companies/{company}/benefits-by-key/remove': {
    payload: { ...byKey, removalKey: noBytes(KEY_BYTES) },
  },
  'POST /api/v1/companies/{company}/pay-by-key/remove': {
    payload: { ...byKey, removalKey: noBytes(KEY_BYTES) },
  },
  'PUT /api/v1/companies/{company}/presented-interview': {
    payload: { ...givenEntry, interview: anInterview() },
  },
  'POST /api/v1/companies/{company}/interview-by-key/remove': {
    payload: { ...byKey, removalKey: noBytes(KEY_BYTES) },
  },
  'POST /api/v1/notes/{note}/by-key': { payload: byKey },
  'POST /api/v1/notes/{note}/by-key/appeal': { payload: { ...byKey, ...appeal } },
  'POST /api/v1/room/challenge': {},
  'POST /api/v1/companies/{company}/room': {
    payload: {
      challenge: 'none',
      domain: 'erin.example',
      quarter: QUARTER,
      presentation: noBytes(PRESENTATION_BYTES),
    },
  },
  'POST /api/v1/room/threads': { payload: { pass: 'none' } },
  'POST /api/v1/room/threads/{thread}': { payload: { pass: 'none' } },
  'POST /api/v1/room/posts': {
    payload: {
      ...roomProof,
      id: NO_ID,
      threadId: NO_ID,
      holder: noBytes(KEY_BYTES),
      title: null,
      body: 'Words',
    },
  },
  'POST /api/v1/room/posts/{thread}/change': {
    payload: { key: noBytes(KEY_BYTES), title: null, body: 'Words' },
  },
  'POST /api/v1/room/posts/{thread}/remove': { payload: { key: noBytes(KEY_BYTES) } },
  'POST /api/v1/room/posts/{thread}/report': { payload: { ...roomProof, ...spam } },
  'POST /api/v1/room/posts/{thread}/appeal': { payload: { key: noBytes(KEY_BYTES), ...appeal } },
  'PUT /api/v1/notes/{note}/helpful': { payload: { isHelpful: true } },
  'PUT /api/v1/companies/{company}/follow': { payload: { isFollowing: true } },
  'PATCH /api/v1/companies/{company}/follow': { payload: { ratings: false } },
  'PUT /api/v1/notifications/{news}/read': { payload: { isRead: true } },
  'PUT /api/v1/my/digest': { payload: { digest: 'weekly' } },

  'POST /api/v1/reports': { payload: { kind: 'comment', id: '{comment}', ...spam } },
  'POST /api/v1/my/moderation/comment/{removed}/appeal': { payload: appeal },
  'POST /api/v1/my/moderation/comment/{appealable}/appeal': { payload: appeal },
  'POST /api/v1/moderation/posts/thread/{thread}/remove': { payload: spam },
  'POST /api/v1/moderation/posts/thread/{thread}/suspend': { payload: { days: 7, ...spam } },
  'POST /api/v1/moderation/posts/keep': {
    payload: { posts: [{ kind: 'thread', id: '{thread}', seen: 0 }] },
  },
  'POST /api/v1/moderation/posts/remove': {
    payload: { posts: [{ kind: 'thread', id: '{thread}', seen: 0 }], ...spam },
  },
  'POST /api/v1/moderation/threads/{thread}/lock': { payload: {} },
  'POST /api/v1/moderation/templates': { payload: { name: 'Spam', body: 'It is spam' } },
  'PUT /api/v1/moderation/templates/{template}': { payload: { name: 'Fair', body: 'No' } },
  'POST /api/v1/moderation/watched-words': { payload: { entry: 'spam.example' } },
  'POST /api/v1/moderation/watched-words/dry-run': { payload: { entry: 'spam.example' } },
  'PUT /api/v1/moderation/limits/threads': { payload: { uses: null } },
  'PUT /api/v1/moderation/first-posts': { payload: { posts: 0 } },
  'POST /api/v1/moderation/threads/{thread}/slow': { payload: { minutes: 10 } },
  'POST /api/v1/moderation/posts/comment/{removed}/decline-appeal': { payload: {} },
  'POST /api/v1/moderation/threads/{thread}/move': { payload: { companyId: null } },

  'PATCH /api/v1/me/profile': { payload: { username: 'Newcomer2' } },
  'POST /api/v1/me/deletion': { payload: { confirmation: '{username}', posts: 'keep' } },
  'POST /auth/v1/signup': {
    payload: { email: 'another@people.example', password: MONAS_PASSWORD },
  },
  'POST /auth/v1/token?grant_type=password': { payload: credentials },
  'POST /auth/v1/token?grant_type=refresh_token': { payload: { refresh_token: '{refresh}' } },
  'POST /auth/v1/token?grant_type=pkce': { payload: pkce },
  'POST /auth/v1/recover': { payload: { email: '{address}' } },
  'POST /auth/v1/resend': { payload: { type: 'signup', email: '{address}' } },
  'GET /auth/v1/verify': { query: { type: 'recovery', token: '{link}' } },
  'POST /auth/v1/verify': { payload: { type: 'recovery', token: '{link}' } },
  'POST /auth/v1/reauthenticate': { payload: { password: MONAS_PASSWORD } },
  'POST /auth/v1/factors': { payload: { factor_type: 'totp', friendly_name: 'Phone' } },
  'POST /auth/v1/factors/{danasFactor}/challenge': { payload: {} },
  'POST /auth/v1/factors/{danasFactor}/verify': {
    payload: { challenge_id: 'none', code: '123456' },
  },
  'POST /auth/v1/factors/recovery-codes': { payload: {} },
  'POST /auth/v1/factors/recover': { payload: { code: '00000-00000' } },
  'PUT /auth/v1/user': { payload: { data: { user_type: 'employer', word: 'tea' } } },
  'POST /auth/v1/admin/users': { payload: { email: 'new@people.example' } },
  'PUT /auth/v1/admin/users/{monaId}': { payload: { ban_duration: '24h' } },
  'PUT /api/v1/administration/set-up/rules': { payload: { isDone: true } },
  'PUT /api/v1/administration/settings/siteName': { payload: { text: 'Samovar' } },
  'PUT /api/v1/my/waiting-mail': { payload: { isWanted: false } },
  'GET /unsubscribe': { query: { token: '{unsubscribe}' } },
  'POST /unsubscribe': { query: { token: '{unsubscribe}' } },
  'PUT /api/v1/my/claims/{erins}/news': { payload: { wantsNews: false } },
  'GET /claims/news-off': { query: { token: '{newsOff}' } },
  'POST /claims/news-off': { query: { token: '{newsOff}' } },
  'GET /claims/confirm': { query: { token: '{claimLink}' } },
  'POST /claims/confirm': { query: { token: '{claimLink}' } },

  'POST /api/v1/administration/users/{monaHandle}/deletion': {
    payload: { confirmation: MONAS_NAME },
  },

  'POST /api/v1/company-requests': { payload: { companyName: 'Anvils' } },
  'POST /api/v1/company-requests/{request}/approve': { payload: { name: 'Anvils' } },
  'POST /api/v1/company-requests/{request}/link': { payload: { companyId: '{company}' } },
  'POST /functions/v1/notify-company-request': {
    payload: { companyName: 'Acme', companyWebsite: 'Not provided', requesterEmail: 'Anonymous' },
  },
  'POST /api/v1/contact-messages': {
    payload: {
      name: 'A',
      email: 'a@b.example',
      message: 'What is new here?',
      idempotencyKey: '{idempotencyKey}',
    },
  },
  'PUT /api/v1/contact-messages/{message}/status': { payload: { status: 'read' } },
  'PUT /api/v1/contact-messages/{message}/assignee': { payload: { assignee: null, was: null } },
  'POST /api/v1/saved-answers': { payload: { title: 'Soon', body: 'Soon.' } },
  'PUT /api/v1/saved-answers/{savedAnswer}': { payload: { title: 'Later', body: 'Later.' } },
  'POST /api/v1/contact-messages/{message}/answers': {
    payload: { text: 'Thank you for telling us.', idempotencyKey: '{idempotencyKey}' },
  },

  'POST /functions/v1/scrape-market-movers': { payload: { limit: 1 } },
  'POST /functions/v1/import-companies-custom': { payload: { companies: [{ name: 'Anvils' }] } },
  'POST /api/v1/imports/columns': {
    headers: { 'content-type': 'text/csv' },
    payload: 'name\nAnvils\n',
  },
  'POST /api/v1/imports/trial': {
    headers: { 'content-type': 'text/csv' },
    payload: 'name\nAnvils\n',
  },
  'POST /api/v1/imports': { headers: { 'content-type': 'text/csv' }, payload: 'name\nAnvils\n' },

  'POST /api/v1/companies/{company}/claims': { payload: { method: 'dns' } },
  'POST /api/v1/claims/{claim}/decline': { payload: {} },
  'POST /api/v1/companies/{company}/seats/invitations': { payload: { email: 'a@b.example' } },
  'GET /api/v1/my-page': { query: { thread: '{verasThread}' } },
  'GET /api/v1/my/reply-rights': { query: { company: '{company}' } },
  'POST /api/v1/threads/{thread}/company-reply': { payload: { text: 'We heard you.' } },
  'POST /api/v1/notes/{note}/company-reply': { payload: { text: 'We heard you.' } },
  'PATCH /api/v1/company-replies/{reply}': {
    payload: { text: 'We heard you all, and there are chairs.', version: 1 },
  },

  'POST /api/v1/jobs/{job}/seen': { payload: { what: 'view' } },
  'POST /api/v1/companies/{company}/jobs': {
    payload: { job: JOB, idempotencyKey: '{idempotencyKey}' },
  },
  'PUT /api/v1/jobs/{job}': { payload: { job: { ...JOB, title: 'Head of tea' } } },
  'POST /api/v1/jobs/{job}/status': { payload: { to: 'filled' } },
  'PUT /api/v1/jobs/{job}/saved': { payload: { isSaved: true } },
  'POST /api/v1/my/job-alerts': { payload: { search: 'tea' } },
  'GET /api/v1/job-feeds': { query: { company: '{company}' } },
  // Not even a trial leaves this machine.
  'POST /api/v1/job-feeds/trial': {
    payload: { address: 'http://127.0.0.1/jobs.xml', company: '{company}' },
  },
  'POST /api/v1/job-feeds': {
    payload: { address: 'https://erin.example/more.xml', company: '{company}' },
  },
  'PUT /api/v1/job-feeds/{feed}/paused': { payload: { isPaused: true } },
}

/** The valid request for an endpoint, as the table names it. */
export function goodRequest(
  { picture, browsers }: Pick<World, 'picture' | 'browsers'>,
  endpoint: string,
  who: string,
  nameOf: (name: string) => string,
): InjectOptions {
  const [method, path = ''] = endpoint.split(' ')
  const filled = (text: string, encode: (text: string) => string = (it) => it) =>
    text.replace(/\{(\w+)\}/g, (_, name) =>
      encode(
        name === 'idempotencyKey'
          ? crypto.randomUUID()
          : name === 'username'
            ? usernameOf(who)
            : nameOf(name),
      ),
    )
  const { query, headers, payload } = /\/(logo|picture)$/.test(endpoint)
    ? { headers: { 'content-type': 'image/png' }, payload: picture, query: undefined }
    : (SENT[endpoint] ?? {})
  const { token, anonymousId } = browsers[who] ?? {}
  return {
    method: method as 'GET',
    url: filled(path, encodeURIComponent),
    headers: {
      ...headers,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(anonymousId && { 'x-anonymous-id': anonymousId }),
    },
    ...(query && { query: JSON.parse(filled(JSON.stringify(query))) }),
    ...(payload !== undefined && {
      payload:
        payload instanceof Buffer || typeof payload === 'string'
          ? payload
          : JSON.parse(filled(JSON.stringify(payload))),
    }),
  }
}

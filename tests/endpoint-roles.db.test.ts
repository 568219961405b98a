/**
 * Spec §6 as one table: every endpoint of the site, called as every role. A new endpoint needs a row: a route without one is
 * a failure, and so is a row without a route.
 *
 * A row reads `who status, who status …`, where later entries override earlier ones. The defaults are 403 for signed-in
 * people, 401 for anyone else. `locks`: only the locked row says whose a thing is.
 */
import type { InjectOptions } from 'light-my-request'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Access } from '#app/api/auth/permissions.ts'
import { type ApiError, createClient } from '#app/api/client.ts'
import type { Contract } from '#app/api/contract.ts'
import { FLAGS } from '#app/platform/operations/flags.ts'
import { type Answer, type Endpoints, openCalls, openEndpoints } from './endpoints/endpoints.ts'
import { goodRequest } from './endpoints/sent.ts'
import { expectTruth, isRefused, REASONS, sentenceIn } from './endpoints/true-refusals.ts'
import {
  headersOf,
  MONAS_NAME,
  SIGNED_IN,
  settleWorld,
  VISITORS,
  type World,
} from './endpoints/world.ts'
import type { JsonSchema } from './fuzz/schema-values.ts'
import { someOf } from './support/amounts.ts'
import { testSecrets, withDatabase } from './support/database.ts'

/**
 * vera, a visitor, wrote `verasThread` and `verasComment`. vic is another visitor. mona, a member, wrote the rest. dana is
 * another member, and uma's address is unconfirmed. erin represents the company, emil another one. sid can't write for a
 * week. mila is a moderator, ada an administrator, olga the owner. late's token, the owner's, has expired.
 */
const WHO = [...VISITORS, ...SIGNED_IN, 'late'] as const
type Who = (typeof WHO)[number]

const visitors: readonly Who[] = VISITORS
const signedIn: readonly Who[] = SIGNED_IN
const GROUPS: Record<string, readonly Who[]> = {
  visitors,
  signedIn,
  everyone: [...visitors, ...signedIn],
  employers: ['erin', 'emil'],
  admins: ['ada', 'olga'],
  moderators: ['mila', 'ada', 'olga'],
  /** No matter who asks. */
  anybody: WHO,
}

const TABLE = readTable(`
# Browse companies, search
GET    /api/v1/companies                                   everyone 200
GET    /api/v1/companies/suggest                           everyone 200
GET    /api/v1/companies/trending                          everyone 200
GET    /api/v1/companies/recent                            everyone 200
GET    /api/v1/companies/highest-rated                     everyone 200
GET    /api/v1/companies/categories                        everyone 200
GET    /api/v1/companies/compare                           everyone 200
GET    /api/v1/companies/by-slug/erin-and-sons             everyone 200
GET    /api/v1/companies/{company}                         everyone 200
GET    /api/v1/companies/{company}/edits                   everyone 200
GET    /logos/nothing.webp                                 anybody 404
GET    /brand/nothing.png                                  anybody 404
POST   /api/v1/views                                       everyone 202
POST   /api/v1/interactions                                everyone 202

# Add company, edit and delete company (S14)
POST   /api/v1/company-additions                           admins 200
POST   /api/v1/companies/{company}/edits                   signedIn 200, uma sid 403, locks
GET    /api/v1/company-edits                               admins 200
POST   /api/v1/company-edits/{suggestion}/accept           admins 200
POST   /api/v1/company-edits/{suggestion}/decline          admins 200
POST   /api/v1/company-edits/{change}/revert               admins 200
POST   /api/v1/companies/{company}/logo                    admins 200
POST   /api/v1/companies/{company}/logo-fetch              admins 202
POST   /api/v1/imports                                     admins 200
POST   /api/v1/imports/columns                             admins 200
POST   /api/v1/imports/trial                               admins 200
GET    /api/v1/past-imports                                admins 200
POST   /api/v1/past-imports/{import}/undo                  admins 200
POST   /functions/v1/import-companies-custom               admins 200
GET    /api/v1/companies/{company}/belongings              admins 200
DELETE /api/v1/companies/{company}                         admins 200
GET    /api/v1/companies/{company}/merge                   admins 200
POST   /api/v1/companies/{company}/merge                   admins 200
GET    /api/v1/imports/template.csv                        anybody 200

# Send contact message, request company
POST   /api/v1/contact-messages                            everyone 201
POST   /api/v1/company-requests                            everyone 201
POST   /functions/v1/notify-company-request                signedIn 200

# Admin Panel, Contact Messages inbox
GET    /api/v1/contact-messages                            admins 200
GET    /api/v1/contact-messages/unread                     admins 200
PUT    /api/v1/contact-messages/{message}/status           admins 200
POST   /api/v1/contact-messages/{message}/answers          admins 201
GET    /api/v1/contact-messages/choices                    admins 200
PUT    /api/v1/contact-messages/{message}/assignee         admins 200
PUT    /api/v1/contact-messages/{message}/labels/urgent    admins 200
DELETE /api/v1/contact-messages/{message}/labels/urgent    admins 200
GET    /api/v1/saved-answers                               admins 200
POST   /api/v1/saved-answers                               admins 201
PUT    /api/v1/saved-answers/{savedAnswer}                 admins 200
DELETE /api/v1/saved-answers/{savedAnswer}                 admins 200
GET    /api/v1/administration/stats                        admins 200
GET    /api/v1/administration/waiting                      moderators 200
GET    /api/v1/administration/set-up                       olga 200
PUT    /api/v1/administration/set-up/rules                 olga 200
GET    /api/v1/administration/invitations                  admins 200
POST   /api/v1/administration/invitations                  admins 201
DELETE /api/v1/administration/invitations/{signUpInvitation}  admins 200
GET    /api/v1/administration/settings                     admins 200
GET    /api/v1/administration/settings/page-terms          admins 200
PUT    /api/v1/administration/settings/siteName            admins 200
POST   /api/v1/administration/settings/logo/picture        admins 200
GET    /api/v1/my/waiting-mail                             moderators 200
PUT    /api/v1/my/waiting-mail                             moderators 200
GET    /api/v1/administration/users                        admins 200
GET    /api/v1/administration/log                          admins 200
GET    /api/v1/administration/log.csv                      admins 200
POST   /api/v1/administration/users/{monaHandle}/grant     olga 200
POST   /api/v1/administration/users/{adamHandle}/revoke    olga 200
POST   /api/v1/administration/users/{monaHandle}/grant-moderator   admins 200
POST   /api/v1/administration/users/{miloHandle}/revoke-moderator  admins 200
POST   /api/v1/administration/users/{monaHandle}/suspend   admins 200
POST   /api/v1/administration/users/{samHandle}/unsuspend  admins 200
POST   /api/v1/administration/users/{monaHandle}/deletion  admins 200
GET    /auth/v1/admin/users                                admins 200, late 403
POST   /auth/v1/admin/users                                admins 200, late 403
GET    /auth/v1/admin/users/{monaId}                       admins 200, late 403
PUT    /auth/v1/admin/users/{monaId}                       admins 200, late 403
DELETE /auth/v1/admin/users/{monaId}                       admins 200, late 403

# Admin Tools page
GET    /api/v1/admin-tools                                 signedIn 200
POST   /functions/v1/scrape-market-movers                  admins 200

# Company Requests list and delete
GET    /api/v1/company-requests                            olga 200
DELETE /api/v1/company-requests/{request}                  olga 200
POST   /api/v1/company-requests/{request}/approve          olga 200
POST   /api/v1/company-requests/{request}/link             olga 200
POST   /api/v1/company-requests/{request}/decline          olga 200

# Tracking page
GET    /api/v1/interactions                                admins 200
GET    /api/v1/company-views                               admins 200
GET    /api/v1/clicks                                      admins 200
GET    /api/v1/clicks.csv                                  admins 200
GET    /api/v1/analytics                                   admins 200
GET    /api/v1/analytics.csv                               admins 200

# Delete thread, delete by title
DELETE /api/v1/threads/{thread}                            everyone 403, mona admins 200, locks
DELETE /api/v1/threads/{verasThread}                       everyone 403, vera admins 200, locks
DELETE /api/v1/comments/{comment}                          everyone 403, mona admins 200, locks
DELETE /api/v1/comments/{verasComment}                     everyone 403, vera admins 200, locks
POST   /api/v1/my/threads/deletion                         everyone 403, mona 200

# Discussions: everybody reads, employers do not write, authors change what is theirs
GET    /api/v1/challenge                                   everyone 200
GET    /api/v1/topics                                      everyone 200
GET    /api/v1/companies/{company}/topics                  everyone 200
GET    /api/v1/threads                                     everyone 200
GET    /api/v1/threads/{thread}                            everyone 200
GET    /api/v1/threads/{thread}/comments                   everyone 200
GET    /api/v1/threads/{thread}/mine                       everyone 200
GET    /api/v1/thread-votes                                everyone 200
GET    /api/v1/threads/{thread}/live                       anybody 200
GET    /feeds/discussions.atom                             anybody 200
GET    /feeds/company/erin-and-sons.atom                   anybody 200
GET    /feeds/topic/pay.atom                               anybody 200
GET    /feeds/nothing/of/this                              anybody 404
POST   /api/v1/threads                                     everyone 201, employers sid 403
POST   /api/v1/threads/{thread}/comments                   everyone 201, employers sid 403, locks
POST   /api/v1/threads/{ruled}/comments                    everyone 409, employers sid 403, locks
PATCH  /api/v1/threads/{thread}                            everyone 403, mona 200, locks
PATCH  /api/v1/threads/{verasThread}                       everyone 403, vera 200, locks
PATCH  /api/v1/comments/{comment}                          everyone 403, mona 200, locks
PATCH  /api/v1/comments/{verasComment}                     everyone 403, vera 200, locks
GET    /api/v1/threads/{thread}/source                     everyone 404, mona 200
GET    /api/v1/threads/{verasThread}/source                everyone 404, vera 200
GET    /api/v1/comments/{comment}/source                   everyone 404, mona 200
GET    /api/v1/comments/{verasComment}/source              everyone 404, vera 200
PUT    /api/v1/threads/{thread}/vote                       everyone 200, employers mona 403, locks
PUT    /api/v1/comments/{comment}/vote                     everyone 200, employers mona 403, locks
PUT    /api/v1/threads/{thread}/poll                       everyone 200, employers 403
PUT    /api/v1/threads/{thread}/saved                      everyone 200, employers 403
PUT    /api/v1/threads/{thread}/muted                      everyone 200
GET    /api/v1/my/threads                                  everyone 200
GET    /api/v1/my/saved                                    everyone 200
GET    /api/v1/my/comments                                 everyone 200

# Moderation: everybody reports but one's own, moderators decide about posts, administrators about people, too
POST   /api/v1/reports                                     everyone 201, mona sid 403, locks
GET    /api/v1/removals                                    everyone 200
GET    /api/v1/my/moderation                               everyone 200
POST   /api/v1/my/moderation/comment/{appealable}/appeal   everyone 404, mona 200
POST   /api/v1/my/moderation/comment/{removed}/appeal      everyone 404, mona 409
GET    /api/v1/moderation/queue                            moderators 200
GET    /api/v1/moderation/log                              moderators 200
POST   /api/v1/moderation/log/{pinned}/undo                moderators 200
GET    /api/v1/moderation/threads/{thread}/latest          moderators 200
GET    /api/v1/moderation/companies/{company}/latest       moderators 200
GET    /api/v1/moderation/templates                        moderators 200
POST   /api/v1/moderation/templates                        moderators 201
PUT    /api/v1/moderation/templates/{template}             moderators 200
DELETE /api/v1/moderation/templates/{template}             moderators 200
GET    /api/v1/moderation/watched-words                    moderators 200
POST   /api/v1/moderation/watched-words                    moderators 201
POST   /api/v1/moderation/watched-words/dry-run            moderators 200
DELETE /api/v1/moderation/watched-words/{watched}          moderators 200
GET    /api/v1/moderation/limits                           admins 200
PUT    /api/v1/moderation/limits/threads                   admins 200
GET    /api/v1/moderation/first-posts                      moderators 200
PUT    /api/v1/moderation/first-posts                      admins 200
POST   /api/v1/moderation/posts/keep                       moderators 200
POST   /api/v1/moderation/posts/remove                     moderators 200
POST   /api/v1/moderation/posts/thread/{thread}/keep       moderators 200
POST   /api/v1/moderation/posts/thread/{thread}/remove     moderators 200
POST   /api/v1/moderation/posts/thread/{thread}/suspend    admins 200
POST   /api/v1/moderation/posts/comment/{removed}/accept-appeal   moderators 200
POST   /api/v1/moderation/posts/comment/{removed}/decline-appeal  moderators 200
POST   /api/v1/moderation/posts/thread/{verasThread}/count-votes   moderators 200
POST   /api/v1/moderation/posts/thread/{verasThread}/drop-votes    moderators 200
POST   /api/v1/moderation/threads/{thread}/lock            moderators 200
POST   /api/v1/moderation/threads/{ruled}/unlock           moderators 200
POST   /api/v1/moderation/threads/{thread}/slow            moderators 200
POST   /api/v1/moderation/threads/{ruled}/unslow           moderators 200
POST   /api/v1/moderation/threads/{thread}/pin             moderators 200
POST   /api/v1/moderation/threads/{ruled}/unpin            moderators 200
POST   /api/v1/moderation/threads/{thread}/move            moderators 200

# Ratings: members with a confirmed address, no employers (S16)
GET    /api/v1/companies/{company}/ratings                 everyone 200
GET    /api/v1/companies/{company}/ratings.csv             anybody 200
GET    /api/v1/companies/{company}/pay                     everyone 200
GET    /api/v1/companies/{company}/pay.csv                 anybody 200
GET    /api/v1/pay                                         everyone 200
GET    /api/v1/companies/{company}/benefits                everyone 200
GET    /api/v1/companies/{company}/notes                   everyone 200
GET    /api/v1/companies/{company}/interviews              everyone 200
GET    /api/v1/my/ratings                                  everyone 200
DELETE /api/v1/companies/{company}/my-rating               signedIn 404, mona 200
PUT    /api/v1/notes/{note}/helpful                        everyone 200, employers mona 403, locks

# Credentials, and what is given by them: by whoever comes with no name at all, and by nobody else
GET    /.well-known/kettle-issuer.json                     anybody 200
GET    /api/v1/my/credential                               signedIn 200
POST   /api/v1/my/credential                               signedIn 200, employers uma 403
POST   /api/v1/my/credential/renewal                       signedIn 409, employers uma 403
PUT    /api/v1/my/credential/vault                         signedIn 200, uma 403
PUT    /api/v1/handovers/{handover}                        everyone 400
POST   /api/v1/handovers/{handover}/take                   everyone 400
POST   /api/v1/my/badge                                    signedIn 200, employers uma 403
POST   /api/v1/my/badge/credential                         signedIn 410, employers uma 403
PUT    /api/v1/companies/{company}/presented-rating        everyone 400
POST   /api/v1/companies/{company}/rating-by-key           everyone 400
POST   /api/v1/companies/{company}/rating-by-key/remove    everyone 400
PUT    /api/v1/companies/{company}/presented-pay           everyone 400
POST   /api/v1/companies/{company}/pay-by-key/remove       everyone 400
PUT    /api/v1/companies/{company}/presented-interview     everyone 400
POST   /api/v1/companies/{company}/interview-by-key/remove everyone 400
PUT    /api/v1/companies/{company}/presented-benefits      everyone 400
POST   /api/v1/companies/{company}/benefits-by-key/remove  everyone 400
POST   /api/v1/notes/{note}/by-key                         everyone 400
POST   /api/v1/notes/{note}/by-key/appeal                  everyone 400
POST   /api/v1/companies/{company}/room                    everyone 400
POST   /api/v1/room/challenge                              everyone 400
POST   /api/v1/room/threads                                everyone 400
POST   /api/v1/room/threads/{thread}                       everyone 400
POST   /api/v1/room/posts                                  everyone 400
POST   /api/v1/room/posts/{thread}/change                  everyone 400
POST   /api/v1/room/posts/{thread}/remove                  everyone 400
POST   /api/v1/room/posts/{thread}/report                  everyone 400
POST   /api/v1/room/posts/{thread}/appeal                  everyone 400

# Following and news: everybody's own
GET    /api/v1/my/follows                                  everyone 200
GET    /api/v1/my/follows/ids                              everyone 200
GET    /api/v1/my/follows/discussions                      everyone 200
PUT    /api/v1/companies/{company}/follow                  everyone 200
PATCH  /api/v1/companies/{company}/follow                  everyone 404, mona 200
GET    /api/v1/notifications                               everyone 200
GET    /api/v1/notifications/unread                        everyone 200
PUT    /api/v1/notifications/{news}/read                   everyone 404, mona 200
POST   /api/v1/notifications/read                          everyone 200
GET    /api/v1/my/digest                                   signedIn 200
PUT    /api/v1/my/digest                                   signedIn 200, uma 403
GET    /unsubscribe                                        anybody 200
POST   /unsubscribe                                        anybody 200

# Claims: one's own, and administrators decide
GET    /api/v1/my/claims                                   signedIn 200
POST   /api/v1/companies/{company}/claims                  signedIn 201, uma 403, mona erin 409
DELETE /api/v1/my/claims/{claim}                           signedIn 404, mona 200
DELETE /api/v1/my/claims/{erins}                           signedIn 404, erin 409
POST   /api/v1/my/claims/{claim}/check                     signedIn 404, uma 403, mona 409
POST   /api/v1/my/claims/{mailClaim}/resend                signedIn 404, uma 403, mona 200
PUT    /api/v1/my/claims/{erins}/news                      signedIn 404, erin 200
GET    /claims/news-off                                    anybody 200
POST   /claims/news-off                                    anybody 200
GET    /claims/confirm                                     anybody 200
POST   /claims/confirm                                     anybody 200
GET    /api/v1/claims                                      admins 200
POST   /api/v1/claims/{claim}/approve                      admins 200
POST   /api/v1/claims/{claim}/decline                      admins 200
POST   /api/v1/claims/{erins}/revoke                       admins 200
GET    /api/v1/companies/{company}/seats                   erin 200
POST   /api/v1/companies/{company}/seats/invitations       erin 201, locks
DELETE /api/v1/seat-invitations/{invitation}               erin 200, locks
DELETE /api/v1/seats/{edithsSeat}                          erin 200, locks
POST   /api/v1/seats/{edithsSeat}/offer                    erin 200, locks
DELETE /api/v1/seats/{edithsSeat}/offer                    erin 200, locks
POST   /api/v1/seats/{erins}/ownership                     employers 404, erin 409
GET    /api/v1/my/seat-invitations                         signedIn 200
POST   /api/v1/my/seat-invitations/{invitation}/accept     signedIn 404, uma 403, dana 200
DELETE /api/v1/my/seat-invitations/{invitation}            signedIn 404, uma 403, dana 200

# What a company says: who acts for it, and for no other
GET    /api/v1/my/reply-rights                             everyone 200
POST   /api/v1/threads/{thread}/company-reply              erin 201
POST   /api/v1/notes/{note}/company-reply                  erin 201
GET    /api/v1/company-replies/{reply}/versions            everyone 200
GET    /api/v1/company-replies/{reply}/source              erin 200
PATCH  /api/v1/company-replies/{reply}                     erin 200
DELETE /api/v1/company-replies/{reply}                     erin admins 200
GET    /api/v1/my/dashboards                               signedIn 200
GET    /api/v1/companies/{company}/dashboard               erin admins 200
GET    /api/v1/companies/{company}/dashboard.csv           erin admins 200

# Jobs: everybody reads, who acts for the company writes
GET    /api/v1/jobs                                        everyone 200
GET    /api/v1/jobs/{job}                                  everyone 200
GET    /api/v1/jobs/{draft}                                everyone 404, erin 200
POST   /api/v1/jobs/{job}/seen                             everyone 202
GET    /api/v1/my/jobs                                     signedIn 200
GET    /api/v1/my/jobs/{draft}                             signedIn 404, erin 200
POST   /api/v1/companies/{company}/jobs                    erin 201
PUT    /api/v1/jobs/{job}                                  erin 200, locks
POST   /api/v1/jobs/{job}/status                           erin 200, locks
DELETE /api/v1/jobs/{job}                                  erin 200, locks
GET    /api/v1/my/saved-jobs                               everyone 200
GET    /api/v1/my/saved-jobs/ids                           everyone 200
PUT    /api/v1/jobs/{job}/saved                            everyone 200
GET    /api/v1/my/job-alerts                               everyone 200
POST   /api/v1/my/job-alerts                               everyone 201
DELETE /api/v1/my/job-alerts/{alert}                       everyone 404, mona 200

# Feeds of jobs: who acts for the company, and administrators
GET    /api/v1/job-feeds                                   erin admins 200
POST   /api/v1/job-feeds/trial                             erin admins 400
POST   /api/v1/job-feeds                                   erin admins 201
GET    /api/v1/job-feeds/{feed}/runs                       erin admins 200
POST   /api/v1/job-feeds/{feed}/read                       erin admins 202, locks
PUT    /api/v1/job-feeds/{feed}/paused                     erin admins 200, locks
POST   /api/v1/job-feeds/{feed}/close-missing              erin admins 200, locks
DELETE /api/v1/job-feeds/{feed}                            erin admins 200, locks

# One's own account
GET    /api/v1/me                                          everyone 200
GET    /api/v1/my-page                                     everyone 200
PATCH  /api/v1/me/profile                                  signedIn 200
GET    /api/v1/me/export                                   signedIn 200
POST   /api/v1/me/deletion                                 signedIn 200
POST   /auth/v1/signup                                     anybody 200
POST   /auth/v1/token?grant_type=password                  anybody 200
POST   /auth/v1/token?grant_type=refresh_token             anybody 200
POST   /auth/v1/token?grant_type=pkce                      anybody 200
POST   /auth/v1/recover                                    anybody 200
POST   /auth/v1/resend                                     anybody 200
GET    /auth/v1/verify                                     anybody 200
POST   /auth/v1/verify                                     anybody 200
GET    /auth/v1/user                                       signedIn 200, late 403
PUT    /auth/v1/user                                       signedIn 200, late 403
POST   /auth/v1/reauthenticate                             signedIn 400, late 403
POST   /auth/v1/logout                                     signedIn 204, late 403
GET    /auth/v1/factors                                    signedIn 200, late 403
POST   /auth/v1/factors                                    signedIn 200, uma 400, late 403
POST   /auth/v1/factors/{danasFactor}/challenge            signedIn 404, dana 200, late 403
POST   /auth/v1/factors/{danasFactor}/verify               signedIn 404, dana 422, late 403
DELETE /auth/v1/factors/{danasFactor}                      signedIn 404, dana 200, late 403
POST   /auth/v1/factors/recovery-codes                     signedIn 403, late 403
POST   /auth/v1/factors/recover                            signedIn 422, late 403

# The site itself
GET    /api/v1/config                                      everyone 200
GET    /api/v1/static-pages/privacy                        everyone 200
GET    /auth/v1/health                                     anybody 200
GET    /auth/v1/settings                                   anybody 200
GET    /auth/v1/.well-known/jwks.json                      anybody 200
GET    /robots.txt                                         anybody 200
GET    /sitemap.xml                                        anybody 200
GET    /sitemaps/pages.xml                                 anybody 200
GET    /sitemaps/threads-1.xml                             anybody 200
GET    /healthz                                            anybody 200
GET    /readyz                                             anybody 200
GET    /api/openapi.json                                   anybody 200
GET    /api/docs                                           anybody 200
GET    /api/docs/json                                      anybody 200
GET    /api/docs/yaml                                      anybody 200
GET    /api/docs/static/index.html                         anybody 302
GET    /api/docs/static/swagger-initializer.js             anybody 200
`)

interface Row {
  section: string
  endpoint: string
  statuses: Record<Who, number>
  locksFirst: boolean
}

function readTable(text: string): Row[] {
  let section = ''
  return text
    .split('\n')
    .filter(Boolean)
    .flatMap((line) => {
      const [, title] = /^# (.*)/.exec(line) ?? []
      if (title) section = title
      if (title) return []
      const [method, path, ...words] = line.split(/\s+/)
      return {
        section,
        endpoint: `${method} ${path}`,
        statuses: statusesOf(words.join(' ').split(', '), line),
        locksFirst: words.includes('locks'),
      }
    })
}

function statusesOf(rules: string[], line: string) {
  const statuses = Object.fromEntries(
    WHO.map((who) => [who, signedIn.includes(who) ? 403 : 401]),
  ) as Record<Who, number>
  for (const rule of rules.filter((rule) => rule !== 'locks')) {
    const words = rule.split(' ')
    const status = Number(words.pop())
    for (const word of words)
      for (const who of GROUPS[word] ?? [word as Who]) {
        if (!(who in statuses) || !(status >= 200)) throw new Error(`Who is "${word}"? ${line}`)
        statuses[who] = status
      }
  }
  return statuses
}

/** Where people learn about themselves, on purpose and where the specification says so. */
const OWN = /^\w+ \/(api\/v1\/(me|my-page)|auth\/v1\/(user|factors))\b/
const TOLD_TO_ADMINISTRATORS: [RegExp, Who[]][] = [
  [/^\w+ \/auth\/v1\/admin\/users/, ['ada', 'olga']],
  [/^GET \/api\/v1\/contact-messages$/, ['ada', 'olga']],
  [/^GET \/api\/v1\/company-requests$/, ['olga']],
]
/** Where administrators see usernames, which lead to no post. */
const NAMES_ACCOUNTS = /^\w+ \/api\/v1\/(administration|claims|company-requests|contact-messages)/
/** Anyone with a person's password, code or link is that person. */
const SIGNS_IN = /^\w+ \/auth\/v1\/(signup|token|verify)/
/** Where moderators read what no one else sees. */
const SHOWS_POSTS = /^\w+ \/api\/v1\/moderation\//
/** Texts that only administrators and their authors may read. */
const KEPT_WORDS = /people\.example|kettle\.example|Lindworm|quagga|Saturdays/i
const ADMINISTRATORS: readonly string[] = ['ada', 'olga']

const { as, outside } = withDatabase()
let endpoints: Endpoints
let world: World
let ask: Awaited<ReturnType<typeof openCalls>>

beforeAll(async () => {
  endpoints = await openEndpoints()
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
  ask = await openCalls(endpoints, outside())
})

const known = (name: string) => {
  const value = world.names[name]
  if (value === undefined) throw new Error(`Nothing in the world is called ${name}`)
  return value
}

/** An ID, an account's handle or a number that nothing has. */
const unknown = (name: string) => {
  if (name.endsWith('Handle')) return testSecrets.seal(crypto.randomUUID())
  return ['suggestion', 'change', 'pinned'].includes(name) ? '987654' : crypto.randomUUID()
}

const call = (who: string, endpoint: string, nameOf = known) =>
  ask(goodRequest(world, endpoint, who, nameOf))

/** A sentence and its code, in the format of the site, of `/auth/v1` or of Spec §7.3. */
const REFUSALS = [
  ['error.code', 'error.message'],
  ['code', 'error_code', 'msg'],
  ['error', 'imported', 'success'],
].map(String)
const fieldsOf = (body: object, prefix = ''): string[] =>
  Object.entries(body).flatMap(([key, value]) =>
    typeof value === 'object' && value !== null
      ? fieldsOf(value, `${prefix}${key}.`)
      : `${prefix}${key}`,
  )

/** Refusals are a sentence, and change nothing. People who may never do it don't get as far as a lock. */
function expectRefusal(row: Row, who: string, answer: Answer) {
  const told = `${who}, ${row.endpoint}: ${answer.text}`
  expect(REFUSALS, told).toContain(String(fieldsOf(JSON.parse(answer.text)).sort()))
  if (answer.status === 401 || answer.status === 403)
    expectTruth(who, sentenceIn(answer.text), told)
  expect(answer.text, told).not.toMatch(KEPT_WORDS)
  expect(answer.text, told).not.toContain(MONAS_NAME)
  for (const name of Object.values(world.names).filter(({ length }) => length > 8))
    expect(answer.text, told).not.toContain(name)
  expect(answer.changed, told).toEqual([])
  const isNoMatter = answer.status === 404 || answer.status === 409 || row.locksFirst
  const mayDecide = ADMINISTRATORS.includes(who) || who === 'mila'
  if (!isNoMatter && !mayDecide) expect(answer.hasTouched, told).toBe(false)
}

/** For invited people, owners see the first letter, and the domain that the owner typed. */
const withoutMasked = (text: string) => text.replace(/\w…@[\w.]+/g, '')

/** No one's key, ID, address or token, except where that's on purpose. */
function expectView({ endpoint }: Row, who: string, { text }: Answer) {
  const isOwn = OWN.test(endpoint)
  const isTold = TOLD_TO_ADMINISTRATORS.some(
    ([where, whom]) => where.test(endpoint) && whom.includes(who as Who),
  )
  for (const [whose, secrets] of Object.entries(world.secrets)) {
    // People see their own account ID and address, and those of others where the specification says so.
    const isAllowed = isTold || (isOwn && whose === who)
    for (const secret of secrets)
      if (text.includes(secret) && !(isAllowed && world.allowed.has(secret)))
        expect.fail(`${who}, ${endpoint}: tells of ${whose} ${secret.slice(0, 40)}`)
  }
  const isAdministrator = ADMINISTRATORS.includes(who)
  const isModerating = who === 'mila' && SHOWS_POSTS.test(endpoint)
  if (!isAdministrator && !isModerating && who !== 'mona' && !isOwn && !SIGNS_IN.test(endpoint))
    expect(endpoint.endsWith('/seats') ? withoutMasked(text) : text).not.toMatch(KEPT_WORDS)
  const isNamed = isTold || (isAdministrator && NAMES_ACCOUNTS.test(endpoint))
  if (!isNamed && !(isOwn && who === 'mona')) expect(text).not.toContain(MONAS_NAME)
}

/** The route that handles a row. If two match, it's the one with fewer parameters. */
const routeOf = ({ endpoint }: Row) => {
  const asked = endpoint.replace(/\?.*/, '').replace(/\{\w+\}/g, 'x')
  return endpoints.routes
    .filter(({ endpoint }) => patternOf(endpoint).test(asked))
    .sort((a, b) => openEnds(a.url) - openEnds(b.url))[0]
}
const openEnds = (url: string) => url.match(/:\w+|\*/g)?.length ?? 0
const patternOf = (endpoint: string) =>
  new RegExp(
    `^${endpoint
      .replace(/[.*]/g, (it) => (it === '*' ? '.*' : `\\${it}`))
      .replace(/:\w+/g, '[^/]+')}$`,
  )

test('every endpoint of the site is in the table, and nothing else is', () => {
  expect(endpoints.routes.length).toBeGreaterThan(170)
  const reached = new Set(TABLE.map((row) => routeOf(row)?.endpoint))
  const without = endpoints.routes.map(({ endpoint }) => endpoint).filter((it) => !reached.has(it))
  expect(without, 'these endpoints have no row').toEqual([])
  const gone = TABLE.filter((row) => !routeOf(row)).map(({ endpoint }) => endpoint)
  expect(gone, 'these rows have no endpoint').toEqual([])
  // A summary that says it's for administrators must be true.
  for (const row of TABLE)
    if (/for administrators|for the owner|owner does/.test(routeOf(row)?.schema.summary ?? ''))
      expect(row.statuses.dana, row.endpoint).toBe(403)
})

const sections = [...new Set(TABLE.map(({ section }) => section))]
describe.each(sections)('Spec §6: %s', (title) => {
  const rows = TABLE.filter(({ section }) => section === title)
  test.each(rows.map((row) => [row.endpoint, row] as const))('%s', async (endpoint, row) => {
    const answers = new Map<Who, Answer>()
    for (const who of WHO) answers.set(who, await call(who, endpoint))
    const got = Object.fromEntries([...answers].map(([who, { status }]) => [who, status]))
    const texts = [...answers].filter(([who, { status }]) => status !== row.statuses[who])
    expect(got, texts.map(([who, { text }]) => `${who}: ${text}`).join('\n')).toEqual(row.statuses)
    for (const [who, answer] of answers) {
      expectView(row, who, answer)
      if (answer.status >= 400) expectRefusal(row, who, answer)
    }
    // The table has this for everyone, so there's more than one.
    if (routeOf(row)?.policy?.isShared) {
      const texts = [...answers.values()].filter(({ status }) => status === 200)
      expect(new Set(texts.map(({ text }) => text)).size).toBe(1)
    }
  })
})

test('a refusal’s reason is true of the person, and really what’s in their way', async () => {
  const strict = await openEndpoints([], { adminSecondFactor: 'required' })
  const askStrict = await openCalls(strict, outside())
  const callers = new Set(['nobody', ...REASONS.flatMap((it) => it.slice(0, 2) as string[])])
  // It takes its own kind of token.
  const rows = TABLE.filter(({ endpoint }) => !endpoint.endsWith('/notify-company-request'))
  for (const { endpoint } of someOf(rows, 12)) {
    const answers = new Map<string, Answer>()
    for (const who of callers) {
      const [name = who, lacks] = who.split(' without ')
      const answer = await (lacks ? askStrict : ask)(goodRequest(world, endpoint, name, known))
      answers.set(who, answer)
      if (isRefused(answer))
        expectTruth(who, sentenceIn(answer.text), `${who}, ${endpoint}: ${answer.text}`)
    }
    for (const [who, like, reason] of REASONS) {
      const [refused, allowed] = [answers.get(who) as Answer, answers.get(like) as Answer]
      // Before the second step, you're a visitor, and get the same refusal for a post as all visitors.
      const isAsVisitor = who === 'hal' && refused.status === 403
      if (isRefused(refused) && allowed.status < 400 && !isAsVisitor)
        expect(sentenceIn(refused.text), `${who}, ${endpoint}`).toMatch(reason)
    }
  }
  await strict.http.close()
})

/** Who meets what a contract requires. Anyone else is refused before anything is looked up. */
const ENOUGH: Record<Access, readonly Who[]> = {
  anyone: [...visitors, ...signedIn],
  // All of them have a key. The command finds out whose a row is.
  ownData: [...visitors, ...signedIn],
  ownDataOrAdmin: [...visitors, ...signedIn],
  author: [...visitors, ...signedIn].filter((who) => !['erin', 'emil'].includes(who)),
  signedIn,
  confirmed: signedIn.filter((who) => who !== 'uma'),
  suggester: signedIn.filter((who) => who !== 'uma'),
  rater: signedIn.filter((who) => !['uma', 'erin', 'emil'].includes(who)),
  employer: ['erin', 'emil'],
  employerOrAdmin: ['erin', 'emil', 'ada', 'olga'],
  moderator: ['mila', 'ada', 'olga'],
  admin: ['ada', 'olga'],
  owner: ['olga'],
}

describe('an endpoint’s contract', () => {
  test('a contract agrees with the table about who can’t call its endpoint at all', () => {
    const ruled = TABLE.flatMap((row) => {
      const access = routeOf(row)?.policy?.access
      return access ? [{ row, access }] : []
    })
    expect(ruled.length).toBeGreaterThan(140)
    for (const { row, access } of ruled)
      for (const who of WHO)
        if (!ENOUGH[access].includes(who))
          expect(row.statuses[who], `${who}, ${row.endpoint}`).toBe(
            signedIn.includes(who) ? 403 : 401,
          )
    // An employer of another company passes the contract, and its command refuses.
    for (const { row, access } of ruled)
      if (access === 'employer' || access === 'employerOrAdmin')
        expect([403, 404], row.endpoint).toContain(row.statuses.emil)
    // If only employers may not do it, the contract says so.
    for (const { row, access } of ruled)
      if (access === 'anyone' && row.statuses.dana < 400)
        expect(row.statuses.erin, row.endpoint).toBeLessThan(400)
  })

  test('a contract lets a browser without an anonymous id change nothing that has an owner', async () => {
    const own = TABLE.filter((row) => /^own/.test(routeOf(row)?.policy?.access ?? ''))
    expect(own.length).toBeGreaterThan(10)
    for (const row of own) {
      const answer = await call('nobody', row.endpoint)
      // A list is empty, and nothing is there to mark as read.
      const isRead = /^GET|\/read$/.test(row.endpoint)
      expect([401, 403, 404, isRead && 200], row.endpoint).toContain(answer.status)
      expect(answer.changed, row.endpoint).toEqual([])
    }
  })

  test('a contract never says that one person’s data is for everyone', () => {
    const open = TABLE.filter((row) => routeOf(row)?.policy?.access === 'anyone')
    const personal = /\/my[/-]|\/(mine|source)$|\/(thread-votes|notifications)\b/
    expect(open.map(({ endpoint }) => endpoint).filter((it) => personal.test(it))).toEqual([])
  })

  test.each([
    ['POST /api/v1/threads', 'Employers can’t post here. Your company can reply on its own page.'],
    ['PUT /api/v1/threads/{thread}/vote', 'Employers can’t vote here'],
    ['PUT /api/v1/threads/{thread}/poll', 'Employers can’t vote here'],
    ['PUT /api/v1/comments/{comment}/vote', 'Employers can’t vote here'],
    ['PUT /api/v1/notes/{note}/helpful', 'Employers can’t vote here'],
    ['PUT /api/v1/threads/{thread}/saved', 'Employers can’t save threads'],
  ])('a contract tells erin what she can’t do: %s', async (endpoint, sentence) => {
    expect(sentenceIn((await call('erin', endpoint)).text)).toBe(sentence)
  })

  test('the OpenAPI document has the refusals of each contract', async () => {
    const document = endpoints.http.swagger() as unknown as Document
    const refusalsAt = (method: string, path: string) =>
      Object.keys(document.paths[path]?.[method]?.responses ?? {}).filter((it) => it >= '4')
    const reading = (...more: string[]) => ['400', '401', ...more, '503'].toSorted()
    const writing = (...more: string[]) => reading('403', '404', '409', '410', ...more)
    expect(refusalsAt('get', '/api/v1/topics')).toEqual(reading('404'))
    expect(refusalsAt('get', '/api/v1/config')).toEqual(reading())
    expect(refusalsAt('get', '/api/v1/claims')).toEqual(reading('403'))
    expect(refusalsAt('post', '/api/v1/threads')).toEqual(writing('429'))
    expect(refusalsAt('delete', '/api/v1/comments/{id}')).toEqual(writing())
    expect(refusalsAt('put', '/api/v1/my/credential/vault')).toEqual(writing('429'))
    const missing = TABLE.flatMap((row) => {
      const url = routeOf(row)?.url.replace(/:(\w+)/g, '{$1}') ?? ''
      const method = row.endpoint.split(' ')[0]?.toLowerCase() ?? ''
      if (!document.paths[url]?.[method]) return []
      const named = refusalsAt(method, url).map(Number)
      return Object.values(row.statuses)
        .filter((status) => status >= 400 && !named.includes(status))
        .map((status) => `${status} ${row.endpoint}`)
    })
    expect(missing).toEqual([])
  })
})

/** What someone else could do permanently in a session left open. */
const PROVED_LATELY = `
  DELETE /api/v1/companies/{company}
  POST /api/v1/companies/{company}/merge
  POST /api/v1/administration/users/{monaHandle}/suspend
  POST /api/v1/administration/users/{monaHandle}/deletion
  POST /api/v1/administration/users/{monaHandle}/grant
  POST /api/v1/administration/users/{monaHandle}/revoke
  POST /api/v1/administration/users/{monaHandle}/grant-moderator
  POST /api/v1/administration/users/{monaHandle}/revoke-moderator
  POST /api/v1/administration/invitations
  PUT /api/v1/administration/settings/siteName
  POST /api/v1/administration/settings/logo/picture
  PUT /api/v1/moderation/limits/threads`
  .trim()
  .split(/\n\s*/)

test.each(PROVED_LATELY)(
  'olga, who confirmed an hour ago that it’s her, is asked again: %s',
  async (endpoint) => {
    const { status, text, hasTouched } = await call('idle', endpoint)
    expect([status, JSON.parse(text).error?.code, hasTouched]).toEqual([
      403,
      'reauthentication-needed',
      false,
    ])
  },
)

describe('Spec §1: a part of the site that’s off', () => {
  // The settings alone have no server part.
  test.each(FLAGS.filter((flag) => flag !== 'enableSettings'))(
    'no one can call the endpoints of %s while it’s off',
    async (flag) => {
      const site = await openEndpoints([flag])
      const askHere = await openCalls(site, outside())
      const its = TABLE.filter((row) => routeOf(row)?.policy?.flag === flag)
      expect(its.length).toBeGreaterThan(0)
      for (const { endpoint } of its)
        for (const who of ['vera', 'dana', 'uma', 'erin', 'ada', 'olga']) {
          const answer = await askHere(goodRequest(world, endpoint, who, known))
          expect(answer.status, `${who}, ${endpoint}`).toBe(404)
          expect(answer.text).toContain('There’s nothing here')
          expect(answer.hasTouched).toBe(false)
        }
      const document = JSON.stringify(site.http.swagger())
      for (const { endpoint } of its) {
        const url = routeOf({ endpoint } as Row)?.url.replace(/:(\w+)/g, '{$1}')
        expect(document).not.toContain(`"${url}":{"${endpoint.split(' ')[0]?.toLowerCase()}"`)
      }
      await site.http.close()
    },
  )

  test('takes feeds, files and streams along', async () => {
    const site = await openEndpoints(['enableCompanies', 'enableDiscussions', 'enableDashboard'])
    const askHere = await openCalls(site, outside())
    const others = [
      'GET /api/v1/threads/{thread}/live',
      'GET /feeds/discussions.atom',
      'GET /feeds/company/erin-and-sons.atom',
      'GET /feeds/topic/pay.atom',
      'GET /sitemaps/threads-1.xml',
      'GET /api/v1/companies/{company}/ratings.csv',
      'GET /api/v1/companies/{company}/pay.csv',
      'GET /api/v1/companies/{company}/dashboard.csv',
      'POST /api/v1/views',
    ]
    for (const endpoint of others)
      expect((await askHere(goodRequest(world, endpoint, 'ada', known))).status, endpoint).toBe(404)
    const { text } = await askHere({ method: 'GET', url: '/sitemap.xml' })
    expect(text).not.toMatch(/threads|companies/)
    await site.http.close()
  })
})

test('a page gets the same answer in this process as a browser over HTTP', async () => {
  const pages = await openEndpoints()
  pages.use(outside())
  const { company, thread, job } = world.names
  const asked: [string, object][] = [
    ['GET /api/v1/companies', { query: { sort: undefined, search: '' } }],
    ['GET /api/v1/companies/trending', {}],
    ['GET /api/v1/companies/recent', { query: { limit: 3 } }],
    ['GET /api/v1/companies/categories', {}],
    ['GET /api/v1/companies/compare', { query: { refs: `${company},emil-works` } }],
    ['GET /api/v1/companies/by-slug/{slug}', { params: { slug: 'erin-and-sons' } }],
    ['GET /api/v1/companies/by-slug/{slug}', { params: { slug: 'nobody' } }],
    ['GET /api/v1/companies/{id}', { params: { id: company } }],
    ['GET /api/v1/companies/{id}', { params: { id: 'nonsense' } }],
    ['GET /api/v1/companies/{id}/edits', { params: { id: company } }],
    ['GET /api/v1/companies/{id}/ratings', { params: { id: company } }],
    ['GET /api/v1/companies/{id}/notes', { params: { id: company } }],
    ['GET /api/v1/topics', {}],
    ['GET /api/v1/companies/{id}/topics', { params: { id: company } }],
    ['GET /api/v1/threads', { query: { search: 'about' } }],
    ['GET /api/v1/threads/{id}', { params: { id: thread } }],
    ['GET /api/v1/threads/{id}', { params: { id: crypto.randomUUID() } }],
    ['GET /api/v1/threads/{id}/comments', { params: { id: thread }, query: { sort: 'new' } }],
    ['GET /api/v1/jobs', { query: { limit: 5 } }],
    ['GET /api/v1/jobs/{id}', { params: { id: job } }],
    ['GET /api/v1/config', {}],
    ['GET /api/v1/claims', {}],
  ]
  const overHttp = createClient<Contract>(async ({ method, url }) => {
    const answer = await pages.http.inject({ method: method as 'GET', url })
    return { status: answer.statusCode, json: answer.json() }
  })
  const told = (api: unknown, [key, input]: [string, object]) =>
    (api as (key: string, input: object) => Promise<unknown>)(key, input).catch(
      ({ status, code, message }: ApiError) => ({ status, code, message }),
    )
  for (const it of asked) {
    const here = await told(pages.api, it)
    // Values that JSON can't express, such as undefined, would differ in a browser.
    expect(here, it[0]).toStrictEqual(await told(overHttp, it))
  }
  await pages.http.close()
})

interface Document {
  paths: Record<string, Record<string, Described>>
}
interface Described {
  responses: Record<string, unknown>
  requestBody?: { content: Record<string, { schema: JsonSchema }> }
}

describe('a request with more fields than its contract', () => {
  const ours = TABLE.filter(({ endpoint }) => /^\w+ \/(api|functions)\/v1\//.test(endpoint))
  const descriptionOf = (row: Row) => {
    const [method = '', url = ''] = routeOf(row)?.endpoint.split(' ') ?? []
    const document = endpoints.http.swagger() as unknown as Document
    return document.paths[url.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()]
  }
  const bodyOf = (row: Row) => descriptionOf(row)?.requestBody?.content['application/json']?.schema

  /** The paths to each object in a body. `[]` leads into a list. */
  const objectsIn = (schema: JsonSchema, path: string[] = []): string[][] => [
    ...(schema.properties ? [path] : []),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, it]) =>
      objectsIn(it, [...path, name]),
    ),
    ...(schema.items ? objectsIn(schema.items, [...path, '[]']) : []),
    ...(schema.anyOf ?? []).flatMap((it) => objectsIn(it, path)),
  ]
  const withMore = (value: unknown, [step, ...rest]: string[]): unknown => {
    const known = typeof value === 'object' ? (value as Record<string, unknown> | null) : null
    if (step === undefined) return { ...known, wordless: 1 }
    if (step === '[]') return [withMore(known?.[0], rest)]
    return { ...known, [step]: withMore(known?.[step], rest) }
  }

  /** Good requests with one unknown field, by where that is. */
  function requestsWithMore(row: Row, who: string): [string, InjectOptions][] {
    const good = goodRequest(world, row.endpoint, who, known)
    // Otherwise the refusal would be about the credentials.
    if (routeOf(row)?.policy?.mustBeAnonymous) delete good.headers
    const schema = bodyOf(row)
    const isFile = typeof good.payload === 'string' || good.payload instanceof Buffer
    const isRead = row.endpoint.startsWith('GET ')
    const paths = schema ? objectsIn(schema) : isFile || isRead ? [] : [[]]
    const query = { ...(good.query as object), wordless: '1' }
    return [
      ['query', { ...good, query }],
      ...paths.map((path): [string, InjectOptions] => [
        `body ${path.join('.')}`,
        { ...good, payload: withMore(good.payload, path) as object },
      ]),
    ]
  }

  /** Refused before the input is checked. A file has its endpoint's permission. */
  function refusedAtTheDoor(row: Row, who: Who) {
    const endpoint = row.endpoint.replace('/dashboard.csv', '/dashboard')
    const access = routeOf({ endpoint } as Row)?.policy?.access
    if (access) return !ENOUGH[access].includes(who)
    return [401, 403].includes(row.statuses[who])
  }

  test.each(ours.map((row) => [row.endpoint, row] as const))('%s', async (endpoint, row) => {
    for (const who of ['vera', 'dana', 'olga'] as const)
      for (const [i, [where, request]] of requestsWithMore(row, who).entries()) {
        // The first two have no other mistake.
        if (refusedAtTheDoor(row, who) && i > 1) break
        const answer = await ask(request)
        const told = `${who}, ${endpoint}, ${where}: ${answer.text}`
        if (refusedAtTheDoor(row, who)) expect(answer.status, told).toBe(row.statuses[who])
        else {
          expect(answer.status, told).toBe(400)
          expect(answer.text, told).toContain('wordless')
        }
        expectRefusal(row, who, answer)
      }
  })

  test('the OpenAPI document says so of every object in a body', () => {
    const open: string[] = []
    const look = (where: string, schema: JsonSchema) => {
      if (schema.properties && schema.additionalProperties !== false) open.push(where)
      for (const [name, it] of Object.entries(schema.properties ?? {})) look(`${where}.${name}`, it)
      for (const it of [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])])
        look(where, it)
    }
    const described = ours.flatMap((row) => {
      const schema = bodyOf(row)
      return schema ? [[row.endpoint, schema] as const] : []
    })
    expect(described.length).toBeGreaterThan(60)
    for (const [endpoint, schema] of described) look(endpoint, schema)
    expect(open).toEqual([])
  })

  test('a field the endpoint doesn’t know makes no one an administrator', async () => {
    const endpoint = 'POST /api/v1/administration/users/{monaHandle}/grant'
    const grant = (who: string) =>
      ask({ ...goodRequest(world, endpoint, who, known), payload: { role: 'moderator' } })
    const answer = await grant('olga')
    expect([answer.status, JSON.parse(answer.text)]).toEqual([
      400,
      { error: { code: 'bad-request', message: 'We don’t know the field “role” here' } },
    ])
    expect(answer.hasTouched).toBe(false)
    expect((await grant('vera')).status).toBe(401)
    expect((await grant('ada')).text).toContain('Only the site’s owner can appoint')
  })

  const saving = (payload: string) =>
    ask({
      ...goodRequest(world, 'PUT /api/v1/threads/{thread}/saved', 'dana', known),
      headers: { 'content-type': 'application/json', ...headersOf(world.browsers.dana) },
      payload,
    })

  test.each([
    ['{"isSaved": true, "isSaved": false}', '“isSaved” appears twice'],
    ['{"isSaved": true, "is\\u0053aved": true}', '“isSaved” appears twice'],
    ['{"isSaved": true, "__proto__": {}}', '“__proto__”'],
    ['{"isSaved": true, "constructor": {"prototype": {}}}', '“constructor”'],
    ['{"isSaved": true, "constructor": 1}', '“constructor”'],
    ['{"isSaved": true, "toString": 1, "a": 2, "b": 3}', '“toString”, “a” and “b”'],
    [`{"isSaved": true, "${'x'.repeat(5_000)}": 1}`, `“${'x'.repeat(40)}…” here`],
  ])(
    'dana’s body with a field that JSON would accept is refused by name (%#)',
    async (payload, sentence) => {
      const answer = await saving(payload)
      expect(answer.status, answer.text).toBe(400)
      expect(answer.text).toContain(sentence)
      expect(answer.hasTouched).toBe(false)
    },
  )

  test.each([
    ['GET', '/api/v1/threads?sort=new&sort=hot', 'sort'],
    ['GET', '/api/v1/threads?limit=5&limit=5', 'limit'],
    ['GET', '/api/v1/companies/compare?refs=a&refs=b', 'refs'],
    ['GET', '/api/v1/topics?__proto__=1', '__proto__'],
    ['GET', '/api/v1/topics?wordless[]=1&other=2', '“wordless[]” and “other”'],
  ] as const)('%s %s is refused by name', async (method, url, name) => {
    const answer = await ask({ method, url })
    expect([answer.status, answer.text]).toEqual([400, expect.stringContaining(name)])
  })

  test('an endpoint without a body takes none with anything in it', async () => {
    const url = '/api/v1/topics'
    const json = { 'content-type': 'application/json' }
    expect((await ask({ method: 'GET', url, payload: { a: 1 } })).status).toBe(400)
    const guarded = { method: 'GET', url: '/api/v1/claims', payload: { a: 1 } } as const
    expect((await ask(guarded)).status).toBe(401)
    const read = (payload: string, headers: Record<string, string> = json) => {
      const good = goodRequest(world, 'POST /api/v1/notifications/read', 'dana', known)
      return ask({ ...good, headers: { ...good.headers, ...headers }, payload })
    }
    for (const payload of ['["a"]', '"a"', '1', 'true'])
      expect((await read(payload)).text, payload).toContain('doesn’t accept a body')
    expect((await read('a', { 'content-type': 'text/plain' })).text).toContain(
      'doesn’t accept a body',
    )
    for (const payload of ['{}', 'null']) expect((await read(payload)).status, payload).toBe(200)
  })
})

describe('Spec §6: other kinds of callers', () => {
  test('a missing id is refused like an existing one, so no one learns which exist', async () => {
    const guarded = TABLE.filter(
      ({ endpoint, statuses: { vera, dana, erin, mona } }) =>
        endpoint.includes('{') && dana === 403 && erin === 403 && mona === 403 && vera === 401,
    )
    expect(guarded.length).toBeGreaterThan(25)
    for (const row of guarded)
      for (const who of ['vera', 'dana'] as const) {
        const answer = await call(who, row.endpoint, unknown)
        expect(answer.status, `${who}, ${row.endpoint}`).toBe(row.statuses[who])
        expectRefusal(row, who, answer)
      }
  })

  /** What leads to the second step. dana's factor isn't his. */
  const BEFORE_SECOND_STEP: Record<string, number> = {
    'GET /auth/v1/user': 200,
    'GET /auth/v1/factors': 200,
    'POST /auth/v1/factors/{danasFactor}/challenge': 404,
    'POST /auth/v1/factors/{danasFactor}/verify': 404,
    'POST /auth/v1/factors/recover': 422,
    // Takes its own kind of token, and his isn't one.
    'POST /functions/v1/notify-company-request': 403,
  }

  test('hal, an administrator before the second step, can open what a visitor in his browser can', async () => {
    for (const row of TABLE) {
      const { endpoint, statuses } = row
      const needsAccount = endpoint.includes(' /auth/v1/') && statuses.vic === 401
      const answer = await call('hal', endpoint)
      expect(answer.status, `${endpoint}: ${answer.text}`).toBe(
        BEFORE_SECOND_STEP[endpoint] ?? (needsAccount ? 403 : statuses.vic),
      )
      expectView(row, 'hal', answer)
      if (answer.status >= 400) expectRefusal(row, 'hal', answer)
    }
  })

  /**
   * The tokens of a suspended member, of administrators who are suspended or signed out, a forged one, and one from a
   * visitor's request.
   */
  test.each(['sam', 'sue', 'seth', 'forged', 'notice'])(
    'the token of %s opens no more than an expired one',
    async (who) => {
      for (const row of TABLE.filter(({ statuses }) => statuses.late >= 400)) {
        const isItsOwn = who === 'notice' && row.endpoint.endsWith('/notify-company-request')
        const answer = await call(who, row.endpoint)
        expect(answer.status, row.endpoint).toBe(isItsOwn ? 200 : row.statuses.late)
        if (answer.status >= 400) expectRefusal(row, who, answer)
      }
    },
  )
})

/** What is done apart from answering: what follows from a commit, and what comes round. */

import { rootWithoutAccount } from '#app/api/auth/roots.server.ts'
import type { JobParts } from '#app/api/feature.server.ts'
import {
  ACCOUNT_DELETED,
  type AccountDeleted,
} from '#app/identity/accounts/account-commands.server.ts'
import { reseal } from '#app/platform/database/sealed-columns.server.ts'
import { HOUR_MS } from '#app/platform/jobs/days.server.ts'
import { clearTraces, NIGHTLY_LOOK_MS, runNightly } from '#app/platform/jobs/nightly-run.server.ts'
import type { Mailer } from '#app/platform/mail/mail.server.ts'
import { createPostOffice, sweepGivenUpMails } from '#app/platform/mail/mail-jobs.server.ts'
import { features } from './main.features.server.ts'

const mails = features.flatMap(({ mails = {} }) => Object.entries(mails))
/** The kinds of jobs that write to somebody. */
export const MAIL_JOBS = mails.map(([kind]) => kind)

/** Says how each kind of job is done, but for those that write to somebody. */
export function handleJobs(parts: JobParts) {
  const { base, db, jobs, log, nightlyAt: at } = parts
  const { now, secrets } = base
  jobs.handle<AccountDeleted>(ACCOUNT_DELETED, async ({ posts, ...sealed }) => {
    const authorKey = secrets.open(sealed.sealedKey)
    const accountId = sealed.sealedAccount && secrets.open(sealed.sealedAccount)
    const root = sealed.sealedRoot
      ? Buffer.from(secrets.open(sealed.sealedRoot), 'base64url')
      : rootWithoutAccount(secrets, authorKey)
    const person = { authorKey, root, accountId, posts }
    for (const feature of features) await feature.forget?.(person, parts)
  })
  for (const feature of features) feature.jobs?.(parts)
  const sealed = features.flatMap(({ sealed = [] }) => sealed)
  const steps = features.flatMap((feature) => feature.nightly?.(parts) ?? [])
  steps.push({ name: 'sweep mails that were given up', run: () => sweepGivenUpMails({ db, now }) })
  // Last: whatever deletes what people did has done so, and leaves no dead rows until the next night.
  steps.push({ name: 'clear what is left', run: () => clearTraces(db) })
  jobs.every('nightly-run', NIGHTLY_LOOK_MS, (db) => runNightly(db, steps, { now, at, log }))
  jobs.every('seal-anew', 60_000, (db) => reseal(secrets, db, sealed))
}

/** Says how those are done. The mailer is given to nobody else. */
export function handleMails(parts: JobParts & { mailer: Pick<Mailer, 'send' | 'sweep'> }) {
  const { base, jobs, mailer, hasRateLimits } = parts
  const postOf = createPostOffice({ mailer, secrets: base.secrets, hasRateLimits })
  for (const [kind, send] of mails)
    jobs.handle(kind, (payload, _db, job) => send(parts, postOf(job), payload))
  const { sweep } = mailer
  if (sweep) jobs.every('sweep-outbox', HOUR_MS, () => sweep())
}

/** What is done apart from answering: what follows from a commit, and what comes round. */
import type { JobParts } from './api/feature.server.ts'
import { rootWithoutAccount } from './auth/roots.server.ts'
import {
  ACCOUNT_DELETED,
  type AccountDeleted,
} from './features/accounts/account-commands.server.ts'
import { features } from './main.features.server.ts'
import { clearTraces } from './server/clear-traces.server.ts'
import { HOUR_MS } from './server/days.server.ts'
import { sweepGivenUpMails } from './server/given-up.server.ts'
import type { Mailer } from './server/mail.server.ts'
import { createPostOffice } from './server/mail-post.server.ts'
import { NIGHTLY_LOOK_MS, runNightly } from './server/nightly-run.server.ts'
import { sealAnew } from './server/sealed-columns.server.ts'

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
  jobs.every('seal-anew', 60_000, (db) => sealAnew(secrets, db, sealed))
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

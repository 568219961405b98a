/** Two people who run the site, or a company, meet. Nothing is doubled or lost, and the second hears why. */

import sql, { raw } from 'sql-template-tag'
import { expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import { changeCompanyReply, replyToThread } from '#app/community/replies/reply-commands.server.ts'
import { CLAIM_REFUSALS } from '#app/companies/claims/claim.ts'
import {
  approveClaim,
  claimCompany,
  revokeClaim,
} from '#app/companies/claims/claim-commands.server.ts'
import { removeSeat } from '#app/companies/claims/seats/seat-commands.server.ts'
import { insertCompanies } from '#app/companies/company-commands.server.ts'
import { IMPORT_REFUSALS } from '#app/companies/importing/import-report.ts'
import { past, undo, withImports } from '#app/companies/importing/importing.fixture.ts'
import { mergeCompany, undoMerge } from '#app/companies/merging/merge-commands.server.ts'
import { JOB_REFUSALS } from '#app/jobs/job.ts'
import { fillJob, openJob, postJob } from '#app/jobs/postings/job-commands.server.ts'
import { adminLog } from '#app/office/administration/admin-log-queries.server.ts'
import { type Cast, withDatabase } from './support/database.ts'
import { events } from './support/events.ts'
import { aJob, aThread, startThread } from './support/unlimited.ts'

const { as, castOn, outside, somebodyWaits } = withDatabase()
const [atAdas, atOlgas] = [withImports(), withImports()]

interface Scene extends Cast {
  /** Merged into `into`, which erin acts for. */
  from: string
  into: string
}

/** Outside of any transaction, because only a server runs two at a time. */
async function meeting(work: (scene: Scene) => Promise<void>) {
  const db = outside()
  const people = castOn(await as('vera', async (ctx) => ({ ...ctx, db, events })))
  try {
    const [from, into] = await insertCompanies(people.ada, [
      { name: 'Acme, Inc.', category: 'Tea', website: 'https://acme.example' },
      { name: 'Acme', category: 'Tea' },
    ])
    const scene = { ...people, from: from?.id as string, into: into?.id as string }
    await db.query(sql`
      insert into employer_claims (account_id, company_id, status)
      values (${people.erin.actor.account?.id}, ${scene.into}, 'approved')`)
    await work(scene)
  } finally {
    for (const table of ['companies', 'company_imports', 'threads', 'admin_log', 'job_queue'])
      await db.query(sql`delete from ${raw(table)}`)
  }
}

/** What became of `second`, which came before `first` was committed. */
async function outcomeOf(
  first: (db: Ctx['db']) => Promise<unknown>,
  second: () => Promise<unknown>,
) {
  let met: Promise<PromiseSettledResult<unknown>[]> | undefined
  await outside().transaction(async (db) => {
    await first(db)
    met = Promise.allSettled([second()])
    await somebodyWaits()
  })
  const [outcome] = (await met) ?? []
  if (outcome?.status !== 'rejected') return 'done'
  const { status, message } = outcome.reason as { status?: number; message: string }
  return `${status ?? 'failed'}: ${message}`
}

const named = async ({ db }: Pick<Ctx, 'db'>) =>
  (await db.query<{ name: string }>(sql`select name from companies order by name`)).map(
    ({ name }) => name,
  )
const noDrift = async ({ db }: Pick<Ctx, 'db'>) =>
  expect(await counterDrift(db, { today: '2026-03-14', minShown: 1 })).toEqual([])
const claims = ({ db }: Pick<Ctx, 'db'>) =>
  db.query(sql`
    select company_id as company, status, is_owner as "isOwner" from employer_claims order by number`)
const seatIn = async ({ db, actor }: Ctx, company: string) => {
  const [seat] = await db.query<{ id: string }>(sql`
    select id from employer_claims
     where account_id = ${actor.account?.id} and company_id = ${company}`)
  return seat?.id as string
}
const claim = (ctx: Ctx, company: string) =>
  claimCompany({ ...ctx, requireMailPause: async () => {} }, company, {
    method: 'dns',
    workEmail: '',
    note: '',
  })
const verified = async (ctx: Ctx, company: string) => {
  const { id } = await claim(ctx, company)
  await ctx.db.query(sql`update employer_claims set is_verified = true where id = ${id}`)
  return id
}

test('ada and olga merge the same companies: it happens once, and olga reads so', () =>
  meeting(async ({ ada, olga, from, into }) => {
    const told = await outcomeOf(
      (db) => mergeCompany({ ...ada, db }, { from, into }),
      () => mergeCompany(olga, { from, into }),
    )
    expect(told).toBe('409: Acme, Inc. was merged into Acme in the meantime. Look for it there.')
    expect(await named(ada)).toEqual(['Acme'])
    const { entries } = await adminLog(ada, {})
    expect(entries.map(({ action }) => action)).toEqual(['merge-companies'])
    await noDrift(ada)
  }))

const LIST = `name,category,website,headquarters
"Acme, Inc.",Tea,https://acme.example,Leuven
Billows,Tea,https://billows.example,Ghent
`

test('ada merges while olga imports, and the facts reach the remaining company', () =>
  meeting(async ({ ada, olga, from, into }) => {
    expect(
      await outcomeOf(
        (db) => mergeCompany({ ...ada, db }, { from, into }),
        () => atOlgas.add(olga, LIST),
      ),
    ).toBe('done')
    expect(await named(ada)).toEqual(['Acme', 'Billows'])
    const [acme] = await ada.db.query(sql`select headquarters from companies where id = ${into}`)
    expect(acme).toEqual({ headquarters: 'Leuven' })
    await noDrift(ada)
  }))

test('ada undoes a merge while olga imports, and both companies exist once', () =>
  meeting(async ({ ada, olga, from, into }) => {
    await mergeCompany(ada, { from, into })
    const [edit] = await ada.db.query<{ id: number }>(sql`select edit_id as id from company_merges`)
    expect(
      await outcomeOf(
        (db) => undoMerge({ ...ada, db }, edit?.id as number),
        () => atOlgas.add(olga, LIST),
      ),
    ).toBe('done')
    expect(await named(ada)).toEqual(['Acme', 'Acme, Inc.', 'Billows'])
    await noDrift(ada)
  }))

const rows = (n: number) =>
  `name,category\n${Array.from({ length: n }, (_, i) => `Works No. ${i},Tea\n`).join('')}`

test('two people import one list: each company is added once, and both reports add up', () =>
  meeting(async ({ ada, olga }) => {
    const [one, other] = await Promise.all([
      atAdas.add(ada, rows(700)),
      atOlgas.add(olga, rows(700)),
    ])
    expect([one.added + other.added, one.skipped + other.skipped]).toEqual([700, 700])
    expect(one.failed + other.failed).toBe(0)
    expect(await named(ada)).toHaveLength(702)
    await noDrift(ada)
  }))

test('olga undoes an import that’s still running, which stops with a sentence and leaves nothing', () =>
  meeting(async ({ ada, olga }) => {
    const importing = atAdas.ask<object>(ada, '', rows(2_500))
    await expect.poll(() => past(olga)).not.toHaveLength(0)
    await expect.poll(() => named(ada)).not.toHaveLength(2)
    const [{ id } = { id: '' }] = await past(olga)
    await undo(olga, id)
    expect(JSON.stringify(await importing)).toContain(IMPORT_REFUSALS.undone)
    expect(await named(ada)).toEqual(['Acme', 'Acme, Inc.'])
    expect(await past(olga)).toMatchObject([{ isUndone: true, left: 0 }])
    await noDrift(ada)
  }))

test('two people undo one import: its companies go once, and neither fails', () =>
  meeting(async ({ ada, olga }) => {
    const { importId } = await atAdas.add(ada, rows(700))
    const both = await Promise.all([undo(ada, importId), undo(olga, importId)])
    expect(both.reduce((sum, { removed }) => sum + removed, 0)).toBe(700)
    expect(await named(ada)).toEqual(['Acme', 'Acme, Inc.'])
    await noDrift(ada)
  }))

test('dana claims a company during its merge, and gets the one that remains', () =>
  meeting(async ({ ada, dana, from, into }) => {
    expect(
      await outcomeOf(
        (db) => mergeCompany({ ...ada, db }, { from, into }),
        () => claim(dana, from),
      ),
    ).toBe('done')
    expect(await claims(ada)).toEqual([
      { company: into, status: 'approved', isOwner: true },
      { company: into, status: 'pending', isOwner: false },
    ])
  }))

test('olga approves a claim while ada merges the company: it has one owner', () =>
  meeting(async ({ ada, olga, dana, from, into }) => {
    const id = await verified(dana, from)
    expect(
      await outcomeOf(
        (db) => mergeCompany({ ...ada, db }, { from, into }),
        () => approveClaim(olga, id),
      ),
    ).toBe('done')
    expect(await claims(ada)).toEqual([
      { company: into, status: 'approved', isOwner: true },
      { company: into, status: 'approved', isOwner: false },
    ])
  }))

test('two people approve the first claims of merged companies, and one of them owns the seats', () =>
  meeting(async ({ ada, olga, dana, erin, from, into }) => {
    await ada.db.query(sql`delete from employer_claims`)
    const danas = await verified(dana, from)
    await ada.db.query(
      sql`update companies set website = 'https://acme.example' where id = ${into}`,
    )
    const erins = await verified(erin, into)
    const told = await outcomeOf(
      (db) => mergeCompany({ ...ada, db }, { from, into }),
      () => Promise.all([approveClaim(olga, danas), approveClaim(ada, erins)]),
    )
    expect(told).toBe('done')
    const seats = await ada.db.query(sql`
      select company_id, count(*) filter (where is_owner)::integer as owners
        from employer_claims group by 1`)
    expect(seats).toEqual([{ company_id: into, owners: 1 }])
  }))

const REPLY = 'Thank you. We have changed this since.'
const replies = ({ db }: Pick<Ctx, 'db'>) => db.query(sql`select body from company_replies`)
const post = (ctx: Ctx, companyId: string) =>
  postJob(ctx, { companyId, job: aJob(), isDraft: false, idempotencyKey: crypto.randomUUID() })
const NOT_YOURS = '403: You don’t act for this company'

test('erin’s claim is revoked while she replies: it is refused', () =>
  meeting(async ({ ada, erin, dana, into }) => {
    const { id } = await startThread(dana, aThread({ companyId: into }))
    const seat = await seatIn(erin, into)
    const told = await outcomeOf(
      (db) => revokeClaim({ ...ada, db }, seat),
      () => replyToThread(erin, id, REPLY),
    )
    expect(told).toBe(NOT_YOURS)
    expect(await replies(ada)).toEqual([])
  }))

test('erin replies while the company is merged: it’s the reply of the company that remains', () =>
  meeting(async ({ ada, erin, dana, from, into }) => {
    await ada.db.query(sql`update employer_claims set company_id = ${from}`)
    const { id } = await startThread(dana, aThread({ companyId: from }))
    const told = await outcomeOf(
      (db) => mergeCompany({ ...ada, db }, { from, into }),
      () => replyToThread(erin, id, REPLY),
    )
    expect(told).toBe('done')
    expect(await ada.db.query(sql`select company_id, body from company_replies`)).toEqual([
      { company_id: into, body: REPLY },
    ])
  }))

test('dana’s seat is removed while she changes a reply: it stays as it was', () =>
  meeting(async ({ erin, dana, into }) => {
    await dana.db.query(sql`
      insert into employer_claims (account_id, company_id, status)
      values (${dana.actor.account?.id}, ${into}, 'approved')`)
    const thread = await startThread(dana, aThread({ companyId: into }))
    const { id } = await replyToThread(dana, thread.id, REPLY)
    const seat = await seatIn(dana, into)
    expect(
      await outcomeOf(
        (db) => removeSeat({ ...erin, db }, seat),
        () => changeCompanyReply(dana, id, { text: 'We have changed nothing at all.', version: 1 }),
      ),
    ).toBe(NOT_YOURS)
    expect(await replies(erin)).toEqual([{ body: REPLY }])
  }))

test('erin’s claim is revoked while she posts and opens jobs, and none is open afterwards', () =>
  meeting(async ({ ada, erin, into }) => {
    const { id } = await post(erin, into)
    await fillJob(erin, id)
    const seat = await seatIn(erin, into)
    for (const write of [() => post(erin, into), () => openJob(erin, id)]) {
      await ada.db.query(sql`update employer_claims set status = 'approved'`)
      const told = await outcomeOf((db) => revokeClaim({ ...ada, db }, seat), write)
      expect(told).toBe(`403: ${JOB_REFUSALS.forbidden}`)
    }
    expect(await ada.db.query(sql`select from job_postings where status = 'open'`)).toEqual([])
  }))

test('a claim that was just decided can’t be decided again', () =>
  meeting(async ({ ada, olga, dana, from }) => {
    const id = await verified(dana, from)
    const told = await outcomeOf(
      (db) => approveClaim({ ...ada, db }, id),
      () => approveClaim(olga, id),
    )
    expect(told).toBe(`409: ${CLAIM_REFUSALS.decided}`)
  }))

/** Seats on a real database: erin owns those of a company, dana is invited, and takes them over. */
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Actor } from '#app/api/auth/actor.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { deleteAccount } from '#app/identity/accounts/account-commands.server.ts'
import type { Mail } from '#app/platform/mail/mail.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { NOW, withDatabase } from '#tests/support/database.ts'
import { CLAIM_REFUSALS } from '../claim.ts'
import { revokeClaim, withdrawClaim } from '../claim-commands.server.ts'
import { CLAIM_DECIDED_TASK, type ClaimDecided, sendClaimDecided } from '../claim-mail.server.ts'
import { actsFor, claimsToReview, myClaims } from '../claim-queries.server.ts'
import { INVITATION_DAYS, SEAT_REFUSALS, SEATS_MAX } from './seat.ts'
import {
  acceptInvitation,
  acceptOwnership,
  declineInvitation,
  endOffer,
  inviteColleague,
  offerOwnership,
  removeSeat,
  sweepInvitations,
  withdrawInvitation,
} from './seat-commands.server.ts'
import { type InvitationWanted, SEAT_INVITATION_TASK, sendInvitation } from './seat-mail.server.ts'
import { companySeats, invitationsExport, myInvitations } from './seat-queries.server.ts'

const { as, castOn, outside } = withDatabase()

const later = (ctx: Ctx, days: number): Ctx => ({
  ...ctx,
  now: () => new Date(NOW.getTime() + days * 86_400_000),
})

const SITE = {
  siteName: 'Kettle',
  siteUrl: () => 'https://kettle.example',
  flags: { enableSettings: true },
}
const DANAS = 'Dana@kettle.example'
const invite = (ctx: Ctx, company: string, email = DANAS) =>
  inviteColleague({ ...ctx, requireMailPause: async () => {} }, company, email)

/** Erin's company, and her. */
const inCompany = (work: (erin: Ctx, company: string) => Promise<void>) =>
  as('erin', async (erin) => work(erin, await giveErinHerCompany(erin.db)))

/** Beside erin, dana has a seat. */
const withDana = (work: (erin: Ctx, dana: Ctx, company: string, seat: string) => Promise<void>) =>
  inCompany(async (erin, company) => {
    const dana = castOn(erin).dana
    await acceptInvitation(dana, (await invite(erin, company)).id)
    await work(erin, dana, company, await seatOf(dana, company))
  })

/** One's own. */
async function seatOf(ctx: Ctx, company: string) {
  const { seats } = await companySeats(ctx, company)
  return seats.find(({ isMine }) => isMine)?.id as string
}

const refusal = (status: number, message: string) => ({ status, message })

/** Sends what waits, and answers it. */
async function post(ctx: Ctx) {
  const mails: Mail[] = []
  const mailer = {
    send: async (mail: Mail) => void mails.push(mail),
    hasRoomFor: async () => true,
  }
  const jobs = await ctx.db.query<{ kind: string; payload: object }>(sql`
    delete from job_queue where kind in (${SEAT_INVITATION_TASK}, ${CLAIM_DECIDED_TASK})
    returning kind, payload`)
  for (const { kind, payload } of jobs)
    if (kind === SEAT_INVITATION_TASK)
      await sendInvitation(ctx, mailer, SITE, payload as InvitationWanted)
    else await sendClaimDecided(ctx, mailer, SITE, payload as ClaimDecided)
  return mails
}

describe('an owner invites', () => {
  test('the first person owns the claim, and an invited colleague accepts and acts at once', () =>
    inCompany(async (erin, company) => {
      expect((await myClaims(erin))[0]).toMatchObject({ isOwner: true, isOffered: false })
      const dana = castOn(erin).dana
      const made = await invite(erin, company)
      expect(made).toEqual({ id: made.id, address: 'd…@kettle.example', invitedOn: '2026-03-14' })
      const [mail] = await post(erin)
      expect(mail).toMatchObject({
        to: 'dana@kettle.example',
        subject: 'Act for Erin and Sons on Kettle',
      })
      expect(mail?.text).not.toMatch(/erin@|username/i)
      expect(await actsFor(dana, company)).toBe(false)
      const { invitations } = await myInvitations(dana)
      expect(await invitationsExport(dana)).toEqual(['Erin and Sons'])
      expect(invitations).toMatchObject([{ id: made.id, company: { name: 'Erin and Sons' } }])
      await acceptInvitation(dana, made.id)
      expect(await actsFor(dana, company)).toBe(true)
      expect(await myInvitations(dana)).toEqual({ invitations: [] })
      expect(await companySeats(erin, company)).toMatchObject({
        isOwner: true,
        seats: [
          { username: 'Erin', isMine: true, isOwner: true },
          { username: 'Dana', isMine: false, isOwner: false },
        ],
        invitations: [],
      })
    }))

  test('only the invited address sees the invitation, and only once it’s confirmed', () =>
    inCompany(async (erin, company) => {
      const { id } = await invite(erin, company)
      const gone = refusal(404, SEAT_REFUSALS.invitationGone)
      for (const name of ['erin', 'ada'] as const) {
        expect(await myInvitations(castOn(erin)[name])).toEqual({ invitations: [] })
        await expect(acceptInvitation(castOn(erin)[name], id)).rejects.toMatchObject(gone)
        await expect(declineInvitation(castOn(erin)[name], id)).rejects.toMatchObject(gone)
      }
      const dana = castOn(erin).dana
      const account = { ...dana.actor.account, isEmailConfirmed: false } as Actor['account']
      const unsure = { ...dana, actor: { ...dana.actor, account } }
      expect(await myInvitations(unsure)).toEqual({ invitations: [] })
      await expect(acceptInvitation(unsure, id)).rejects.toMatchObject(gone)
    }))

  test('a stored invitation leads to no account without the key', () =>
    inCompany(async (erin, company) => {
      await invite(erin, company)
      const kept = JSON.stringify([
        await erin.db.query(sql`select * from seat_invitations`),
        await erin.db.query(sql`select payload from job_queue`),
      ])
      const danasId = castOn(erin).dana.actor.account?.id
      const [dana] = await erin.db.query<{ hash: string; sealed: string }>(sql`
        select email_hash as hash, email_sealed as sealed from accounts
         where id = ${danasId}`)
      for (const secret of ['dana', dana?.hash, dana?.sealed, danasId])
        expect(kept.toLowerCase()).not.toContain(secret?.toLowerCase())
    }))

  test('a bad address, a repeat, someone with a seat, and too many seats get a sentence each', () =>
    withDana(async (erin, _dana, company) => {
      await expect(invite(erin, company, 'nobody')).rejects.toMatchObject({ status: 400 })
      await expect(invite(erin, company, ' ')).rejects.toMatchObject({ status: 400 })
      await expect(invite(erin, company)).rejects.toMatchObject(refusal(409, SEAT_REFUSALS.hasSeat))
      await invite(erin, company, 'ada@kettle.example')
      await expect(invite(erin, company, ' ADA@kettle.example')).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.invited),
      )
      for (let n = 3; n < SEATS_MAX; n++) await invite(erin, company, `n${n}@kettle.example`)
      await expect(invite(erin, company, 'last@kettle.example')).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.full),
      )
    }))

  test('an invitation that was withdrawn, declined or is two weeks old can’t be accepted', () =>
    inCompany(async (erin, company) => {
      const dana = castOn(erin).dana
      const gone = refusal(404, SEAT_REFUSALS.invitationGone)
      const first = await invite(erin, company)
      await withdrawInvitation(erin, first.id)
      await expect(acceptInvitation(dana, first.id)).rejects.toMatchObject(gone)
      expect(await post(erin)).toEqual([])
      const second = await invite(erin, company)
      await declineInvitation(dana, second.id)
      await expect(acceptInvitation(dana, second.id)).rejects.toMatchObject(gone)
      const third = await invite(erin, company)
      const old = later(dana, INVITATION_DAYS)
      await expect(acceptInvitation(old, third.id)).rejects.toMatchObject(gone)
      await sweepInvitations(later(dana, INVITATION_DAYS - 1))
      expect((await myInvitations(dana)).invitations).toHaveLength(1)
      await sweepInvitations(old)
      expect(await erin.db.query(sql`select from seat_invitations`)).toEqual([])
    }))
})

describe('only the owner decides', () => {
  test('colleagues see each other’s seats and can’t change them', () =>
    withDana(async (erin, dana, company, seat) => {
      const open = await invite(erin, company, 'ada@kettle.example')
      const erins = await seatOf(erin, company)
      expect(await companySeats(dana, company)).toMatchObject({ isOwner: false, invitations: [] })
      const no = refusal(403, SEAT_REFUSALS.notOwner)
      await expect(invite(dana, company, 'x@kettle.example')).rejects.toMatchObject(no)
      await expect(withdrawInvitation(dana, open.id)).rejects.toMatchObject(no)
      await expect(removeSeat(dana, erins)).rejects.toMatchObject(no)
      await expect(removeSeat(dana, seat)).rejects.toMatchObject(no)
      await expect(offerOwnership(dana, seat)).rejects.toMatchObject(no)
      await expect(acceptOwnership(dana, erins)).rejects.toMatchObject({ status: 404 })
      await expect(acceptOwnership(dana, seat)).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.notOffered),
      )
    }))

  test('only administrators, in the claims, see who else has a seat', () =>
    withDana(async (erin, _dana, company) => {
      for (const name of ['vera', 'ada', 'olga'] as const)
        await expect(companySeats(castOn(erin)[name], company)).rejects.toMatchObject({
          status: 403,
        })
      const { claims } = await claimsToReview(castOn(erin).ada, { status: 'approved' })
      expect(claims.map(({ username, isOwner }) => [username, isOwner])).toEqual([
        ['Dana', false],
        ['Erin', true],
      ])
    }))

  test('a person the owner removes loses the rights and hears of it', () =>
    withDana(async (erin, dana, company, seat) => {
      await post(erin)
      await removeSeat(erin, seat)
      expect(await actsFor(dana, company)).toBe(false)
      expect(await myClaims(dana)).toEqual([])
      expect(await post(erin)).toMatchObject([
        { to: 'dana@kettle.example', subject: 'You no longer act for Erin and Sons' },
      ])
      await expect(removeSeat(erin, seat)).rejects.toMatchObject(
        refusal(404, SEAT_REFUSALS.seatGone),
      )
      const again = await invite(erin, company)
      await acceptInvitation(dana, again.id)
      expect(await actsFor(dana, company)).toBe(true)
    }))

  test('anyone can leave, but an owner hands over first unless they’re the last', () =>
    withDana(async (erin, dana, company, seat) => {
      const erins = await seatOf(erin, company)
      await expect(removeSeat(erin, erins)).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.isOwner),
      )
      await expect(withdrawClaim(erin, erins)).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.leaveLast),
      )
      await withdrawClaim(dana, seat)
      const open = await invite(erin, company, 'ada@kettle.example')
      await withdrawClaim(erin, erins)
      await expect(acceptInvitation(castOn(erin).ada, open.id)).rejects.toMatchObject({
        status: 404,
      })
    }))
})

describe('the ownership', () => {
  test('the owner offers the ownership, a colleague accepts, and both keep their seats', () =>
    withDana(async (erin, dana, company, seat) => {
      await offerOwnership(erin, seat)
      await offerOwnership(erin, seat)
      expect((await myClaims(dana))[0]).toMatchObject({ isOwner: false, isOffered: true })
      await post(erin)
      await acceptOwnership(dana, seat)
      expect((await companySeats(dana, company)).isOwner).toBe(true)
      expect(await companySeats(erin, company)).toMatchObject({
        isOwner: false,
        seats: [
          { username: 'Dana', isOwner: true, isOffered: false },
          { username: 'Erin', isOwner: false },
        ],
      })
      expect(await post(erin)).toMatchObject([
        { to: 'erin@kettle.example', subject: 'You handed over Erin and Sons’s seats' },
      ])
      await expect(invite(erin, company, 'x@kettle.example')).rejects.toMatchObject({
        status: 403,
      })
    }))

  test('an ownership is offered to one person at a time, who can decline, and can be withdrawn', () =>
    withDana(async (erin, dana, company, seat) => {
      const ada = castOn(erin).ada
      await acceptInvitation(ada, (await invite(erin, company, 'ada@kettle.example')).id)
      await offerOwnership(erin, seat)
      await expect(offerOwnership(erin, await seatOf(ada, company))).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.offered),
      )
      await expect(endOffer(ada, seat)).rejects.toMatchObject({ status: 403 })
      await endOffer(erin, seat)
      await expect(acceptOwnership(dana, seat)).rejects.toMatchObject(
        refusal(409, SEAT_REFUSALS.notOffered),
      )
      await offerOwnership(erin, seat)
      await endOffer(dana, seat)
      await offerOwnership(erin, await seatOf(ada, company))
    }))

  test('a deleted owner’s claim goes to the person it was offered to, or the longest-serving', () =>
    withDana(async (erin, dana, company) => {
      const ada = castOn(erin).ada
      await acceptInvitation(ada, (await invite(erin, company, 'ada@kettle.example')).id)
      await offerOwnership(erin, await seatOf(ada, company))
      const gone = (ctx: Ctx) =>
        deleteAccount(ctx, {
          id: ctx.actor.account?.id ?? '',
          authorKey: ctx.actor.authorKey ?? '',
          posts: 'keep',
        })
      await gone(erin)
      expect((await companySeats(ada, company)).isOwner).toBe(true)
      await gone(ada)
      expect((await companySeats(dana, company)).isOwner).toBe(true)
      await gone(dana)
      expect(await dana.db.query(sql`select from employer_claims`)).toEqual([])
    }))

  test('all seats and invitations end with the claim, and everyone hears of it', () =>
    withDana(async (erin, dana, company) => {
      await post(erin)
      const open = await invite(erin, company, 'ada@kettle.example')
      await post(erin)
      await revokeClaim(castOn(erin).olga, await seatOf(erin, company))
      expect([await actsFor(erin, company), await actsFor(dana, company)]).toEqual([false, false])
      expect((await myClaims(dana))[0]?.status).toBe('revoked')
      const told = (await post(erin)).map(({ to }) => to).toSorted()
      expect(told).toEqual(['dana@kettle.example', 'erin@kettle.example'])
      await expect(acceptInvitation(castOn(erin).ada, open.id)).rejects.toMatchObject({
        status: 404,
      })
    }))

  test('an administrator who takes one colleague’s seat leaves the ownership alone', () =>
    withDana(async (erin, dana, company, seat) => {
      await revokeClaim(castOn(erin).olga, seat)
      expect([await actsFor(erin, company), await actsFor(dana, company)]).toEqual([true, false])
      expect((await companySeats(erin, company)).isOwner).toBe(true)
    }))

  test('one person keeps the ownership if two companies are merged', () =>
    inCompany(async (erin, company) => {
      const [other] = await erin.db.query<{ id: string }>(sql`
        insert into companies (name, name_key, slug) values ('Beta', 'beta', 'beta') returning id`)
      await erin.db.query(sql`
        insert into employer_claims (account_id, company_id, status)
        values (${castOn(erin).dana.actor.account?.id}, ${other?.id}, 'approved')`)
      expect((await companySeats(castOn(erin).dana, other?.id as string)).isOwner).toBe(true)
      await erin.db.query(sql`
        update employer_claims set company_id = ${company} where company_id = ${other?.id}`)
      expect((await companySeats(erin, company)).seats).toMatchObject([
        { username: 'Erin', isOwner: true },
        { username: 'Dana', isOwner: false },
      ])
    }))
})

describe('two changes at once', () => {
  /** Outside of any transaction, so that they really meet. */
  async function meeting(work: (erin: Ctx, dana: Ctx, company: string) => Promise<void>) {
    const db = outside()
    const erin = await as('erin', async (ctx) => ({ ...ctx, db }))
    const company = await giveErinHerCompany(db)
    const erased = async () => {
      await db.query(sql`delete from companies where id = ${company}`)
      await db.query(sql`delete from job_queue`)
    }
    try {
      await work(erin, castOn(erin).dana, company)
    } finally {
      await erased()
    }
  }
  const outcomes = async (...both: Promise<unknown>[]) =>
    (await Promise.allSettled(both)).map((it) =>
      it.status === 'fulfilled' ? 'done' : (it.reason as Error).message,
    )

  test('a removal and a handover meet: one wins, and the other gets a sentence', () =>
    meeting(async (erin, dana, company) => {
      for (let round = 0; round < 8; round++) {
        await acceptInvitation(dana, (await invite(erin, company)).id)
        const seat = await seatOf(dana, company)
        await offerOwnership(erin, seat)
        const said = await outcomes(removeSeat(erin, seat), acceptOwnership(dana, seat))
        expect(said.filter((it) => it === 'done')).toHaveLength(1)
        const owners = await erin.db.query<{ id: string }>(sql`
          select account_id as id from employer_claims where company_id = ${company} and is_owner`)
        expect(owners).toHaveLength(1)
        const isDanas = said[1] === 'done'
        // Who comes second finds it so before or after waiting for the first.
        const { notOwner, seatGone, notOffered } = SEAT_REFUSALS
        expect(isDanas ? [notOwner] : [seatGone, notOffered]).toContain(said[isDanas ? 0 : 1])
        if (!isDanas) continue
        await offerOwnership(dana, await seatOf(erin, company))
        await acceptOwnership(erin, await seatOf(erin, company))
        await removeSeat(erin, seat)
      }
    }))

  test('a withdrawn invitation can’t be accepted at the same moment, or accepted twice', () =>
    meeting(async (erin, dana, company) => {
      for (let round = 0; round < 8; round++) {
        const { id } = await invite(erin, company)
        const said = await outcomes(
          withdrawInvitation(erin, id),
          acceptInvitation(dana, id),
          acceptInvitation(dana, id),
        )
        expect(said.filter((it) => it === 'done')).toHaveLength(1)
        for (const it of said)
          expect(['done', SEAT_REFUSALS.invitationGone, CLAIM_REFUSALS.approved]).toContain(it)
        const acts = await actsFor(dana, company)
        expect(acts).toBe(said[0] !== 'done')
        if (acts) await removeSeat(erin, await seatOf(dana, company))
      }
    }))

  test('a claim revoked while its colleague accepts leaves no one in the company', () =>
    meeting(async (erin, dana, company) => {
      const { id } = await invite(erin, company)
      const claim = await seatOf(erin, company)
      await outcomes(revokeClaim(castOn(erin).olga, claim), acceptInvitation(dana, id))
      expect([await actsFor(erin, company), await actsFor(dana, company)]).toEqual([false, false])
      await erin.db.query(sql`delete from admin_log`)
    }))
})

/** Decisions about a thread as a whole: whether it takes answers, and where it stands. */

import type { Ctx } from '#app/api/auth/context.server.ts'
import { moderatedThreads } from '#app/community/discussions/posts/moderated-posts.server.ts'
import { type PostRef, type SlowMinutes, slowText } from '#app/community/reports/report.ts'
import { oneLine } from '#app/kit/writing/text.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { decide } from './decision.server.ts'

const threadOf = (id: string): PostRef => ({ kind: 'thread', id })

function requireChange(isChange: boolean, sentence: string) {
  if (!isChange) throw new Refusal('conflict', sentence)
}

/**
 * @param note why, for readers; '' for no more than that it is
 * @throws Refusal forbidden, not-found, conflict for what is locked already; so all below
 */
export const lockThread = (ctx: Ctx, id: string, note = '') =>
  decide(ctx, threadOf(id), 'lock', async ({ db }, { kept }) => {
    requireChange(!kept.isLocked, 'This thread is locked already')
    const clean = oneLine(note)
    await moderatedThreads.lockWith(db, id, clean || null)
    return { event: 'locked', note: clean }
  })

export const unlockThread = (ctx: Ctx, id: string) =>
  decide(ctx, threadOf(id), 'unlock', async ({ db }, { kept }) => {
    requireChange(kept.isLocked, 'This thread is not locked')
    const { lockNote } = await moderatedThreads.rules(db, id)
    await moderatedThreads.unlock(db, id)
    return { before: { lockNote } }
  })

/** Everybody comments once in so many minutes. Readers see it. */
export const slowThread = (ctx: Ctx, id: string, minutes: SlowMinutes) =>
  decide(ctx, threadOf(id), 'slow', async ({ db }) => {
    const { slowMinutes } = await moderatedThreads.rules(db, id)
    requireChange(slowMinutes !== minutes, 'This thread is as slow already')
    await moderatedThreads.setSlow(db, id, minutes)
    return { before: { slowMinutes, detail: slowText(minutes) } }
  })

export const unslowThread = (ctx: Ctx, id: string) =>
  decide(ctx, threadOf(id), 'unslow', async ({ db }) => {
    const { slowMinutes } = await moderatedThreads.rules(db, id)
    requireChange(slowMinutes !== null, 'This thread is not in slow mode')
    await moderatedThreads.setSlow(db, id, null)
    return { before: { slowMinutes } }
  })

export const pinThread = (ctx: Ctx, id: string) =>
  decide(ctx, threadOf(id), 'pin', async ({ db }, { kept }) => {
    requireChange(!kept.isPinned, 'This thread is pinned already')
    await moderatedThreads.setPinned(db, id, true)
    return {}
  })

export const unpinThread = (ctx: Ctx, id: string) =>
  decide(ctx, threadOf(id), 'unpin', async ({ db }, { kept }) => {
    requireChange(kept.isPinned, 'This thread is not pinned')
    await moderatedThreads.setPinned(db, id, false)
    return {}
  })

/** @param companyId null for a thread about no company. @throws Refusal bad-request as well */
export const moveThread = (ctx: Ctx, id: string, companyId: string | null) =>
  decide(ctx, threadOf(id), 'move', async ({ db }, { kept }) => {
    requireChange(kept.companyId !== companyId, 'This thread is already there')
    await moderatedThreads.move(db, id, companyId)
    const [moved] = await moderatedThreads.views(db, [id])
    const detail = moved?.company?.name ?? 'No company'
    return { event: 'moved', before: { companyId: kept.companyId, detail } }
  })

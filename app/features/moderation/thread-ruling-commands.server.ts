/** Decisions about a thread as a whole: whether it takes answers, and where it stands. */
import { Refusal } from '../../server/refusal.ts'
import type { PostRef } from '../reports/report.ts'
import { decide } from './decision.server.ts'
import type { ModerationCtx } from './keepers.server.ts'

const threadOf = (id: string): PostRef => ({ kind: 'thread', id })

function demandNews(isNews: boolean, sentence: string) {
  if (!isNews) throw new Refusal('conflict', sentence)
}

/** @throws Refusal forbidden, not-found, conflict for what is locked already; so all below */
export const lockThread = (ctx: ModerationCtx, id: string) =>
  decide(ctx, threadOf(id), 'lock', async ({ db, keepers }, { kept }) => {
    demandNews(!kept.isLocked, 'This thread is locked already')
    await keepers.thread.setLocked(db, id, true)
    return { event: 'locked' }
  })

export const unlockThread = (ctx: ModerationCtx, id: string) =>
  decide(ctx, threadOf(id), 'unlock', async ({ db, keepers }, { kept }) => {
    demandNews(kept.isLocked, 'This thread is not locked')
    await keepers.thread.setLocked(db, id, false)
    return {}
  })

export const pinThread = (ctx: ModerationCtx, id: string) =>
  decide(ctx, threadOf(id), 'pin', async ({ db, keepers }, { kept }) => {
    demandNews(!kept.isPinned, 'This thread is pinned already')
    await keepers.thread.setPinned(db, id, true)
    return {}
  })

export const unpinThread = (ctx: ModerationCtx, id: string) =>
  decide(ctx, threadOf(id), 'unpin', async ({ db, keepers }, { kept }) => {
    demandNews(kept.isPinned, 'This thread is not pinned')
    await keepers.thread.setPinned(db, id, false)
    return {}
  })

/** @param companyId null for a thread about no company. @throws Refusal bad-request as well */
export const moveThread = (ctx: ModerationCtx, id: string, companyId: string | null) =>
  decide(ctx, threadOf(id), 'move', async ({ db, keepers }, { kept }) => {
    demandNews(kept.companyId !== companyId, 'This thread is there already')
    await keepers.thread.move(db, id, companyId)
    const [moved] = await keepers.thread.seen(db, [id])
    const detail = moved?.company?.name ?? 'No company'
    return { event: 'moved', before: { companyId: kept.companyId, detail } }
  })

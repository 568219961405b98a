/** What this browser's reader has read, and when they were here before. */
export interface ReadThreads {
  /** The end of the visit before: anything later is new. */
  before: string | null
  /** The latest moment of this visit. */
  at: string | null
  /** How many comments each thread had when it was read, latest first. */
  comments: [id: string, comments: number][]
}

export const NOTHING_READ: ReadThreads = { before: null, at: null, comments: [] }

/** A longer break begins another visit. */
const PAUSE_MINUTES = 30
const READ_MAX = 300

export function readIn(stored: string | null): ReadThreads {
  try {
    const { before, at, comments } = JSON.parse(stored ?? '')
    return {
      before: momentIn(before),
      at: momentIn(at),
      comments: comments.filter(
        ([id, n]: unknown[]) => typeof id === 'string' && typeof n === 'number',
      ),
    }
  } catch {
    return NOTHING_READ
  }
}

const momentIn = (found: unknown) =>
  typeof found === 'string' && !Number.isNaN(Date.parse(found)) ? found : null

export const visited = (read: ReadThreads, now: Date): ReadThreads => {
  const isBack = read.at !== null && now.getTime() - Date.parse(read.at) > PAUSE_MINUTES * 60_000
  return { ...read, before: isBack ? read.at : read.before, at: now.toISOString() }
}

export const withRead = (read: ReadThreads, id: string, comments: number): ReadThreads => ({
  ...read,
  comments: [
    [id, comments] as [string, number],
    ...read.comments.filter(([other]) => other !== id),
  ].slice(0, READ_MAX),
})

/** `added`: comments since it was read. */
export function marksOf(
  { id, postedAt, comments }: { id: string; postedAt: string; comments: number },
  read: ReadThreads,
) {
  const then = read.comments.find(([other]) => other === id)?.[1]
  return {
    isRead: then !== undefined,
    added: then === undefined ? 0 : Math.max(0, comments - then),
    isNew:
      then === undefined && read.before !== null && Date.parse(postedAt) > Date.parse(read.before),
  }
}

/** People who write and read through nginx, and record the responses. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

/** An attempt at a write. Times are milliseconds of this process's clock. */
export interface Answer {
  sentAt: number
  answeredAt: number
  /** 0 means the connection broke. */
  status: number
  retryAfter: boolean
}

export interface Kept {
  comments: { id: string; threadId: string; body: string }[]
  /** Votes by thread, one for each visitor. */
  votes: Map<string, number>
  answers: Answer[]
  /** How many writes failed at first and were sent again with the same ID. */
  sentAgain: number
  /** Writes that their author didn't see right after the acknowledgement. */
  unseen: number
  /** Reads of cached pages, and of uncached lists, signed out. */
  pages: Read[]
  lists: Read[]
}

interface Read {
  at: number
  status: number
}

const COMMENTERS = 4
const VOTERS = 3
const WITHOUT_ANSWER_MS = 60_000
/** The pause after a failure. */
const AGAIN_MS = 100
const READ_EVERY_MS = 50
/** After this many comments, an author looks at the thread again. */
const LOOK_EVERY = 10

export interface Writing {
  kept: Kept
  /** Lets everyone finish. The writers send each write until it's acknowledged. */
  finish(): Promise<void>
}

/** @param pages addresses that each process has cached already */
export function startWriting(url: string, threads: string[], pages: string[]): Writing {
  const kept: Kept = {
    comments: [],
    votes: new Map(),
    answers: [],
    sentAgain: 0,
    unseen: 0,
    pages: [],
    lists: [],
  }
  let isOver = false
  const any = <Item>(items: Item[]) => items[Math.floor(Math.random() * items.length)] as Item

  /** Sends until it's acknowledged. Returns the response's body. */
  async function send(method: string, path: string, body: object, visitor: Record<string, string>) {
    for (let turn = 0; ; turn++) {
      if (turn === 1) kept.sentAgain += 1
      const sentAt = Date.now()
      const answer = await fetch(url + path, {
        method,
        headers: { 'content-type': 'application/json', ...visitor },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(WITHOUT_ANSWER_MS),
      })
        .then(async (response) => ({
          status: response.status,
          retryAfter: response.headers.has('retry-after'),
          json: (await response.json().catch(() => ({}))) as { id?: string },
        }))
        .catch(() => ({ status: 0, retryAfter: false, json: {} as { id?: string } }))
      const { status, retryAfter, json } = answer
      kept.answers.push({ sentAt, answeredAt: Date.now(), status, retryAfter })
      if (status >= 200 && status < 300) return json
      if (status >= 400 && status < 500)
        throw new Error(`${method} ${path} is refused with ${status}: ${JSON.stringify(json)}`)
      await pause(AGAIN_MS)
    }
  }

  async function comment() {
    const threadId = any(threads)
    const visitor = newcomer()
    const body = `Comment ${randomUUID()}`
    const path = `/api/v1/threads/${threadId}/comments`
    const { id = '' } = await send('POST', path, { body, idempotencyKey: randomUUID() }, visitor)
    kept.comments.push({ id, threadId, body })
    if (kept.comments.length % LOOK_EVERY > 0) return
    const mine = await fetch(`${url}/api/v1/threads/${threadId}/mine`, { headers: visitor })
    if (mine.status !== 200) return
    const { comments } = (await mine.json()) as { comments: string[] }
    if (!comments.includes(id)) kept.unseen += 1
  }

  async function vote() {
    const threadId = any(threads)
    await send('PUT', `/api/v1/threads/${threadId}/vote`, { vote: 1 }, newcomer())
    kept.votes.set(threadId, (kept.votes.get(threadId) ?? 0) + 1)
  }

  async function read(path: string, reads: Read[]) {
    const status = await fetch(url + path, { signal: AbortSignal.timeout(WITHOUT_ANSWER_MS) }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.status
      },
      () => 0,
    )
    reads.push({ at: Date.now(), status })
    await pause(READ_EVERY_MS)
  }

  const people = [
    ...Array<typeof vote>(COMMENTERS).fill(comment),
    ...Array<typeof vote>(VOTERS).fill(vote),
    () => read(any(pages), kept.pages),
    () => read('/api/v1/threads?sort=new', kept.lists),
  ].map(async (act) => {
    while (!isOver) await act()
  })
  const all = Promise.all(people)
  // Failures are reported at the end.
  all.catch(() => {
    isOver = true
  })
  return {
    kept,
    async finish() {
      isOver = true
      await all
    },
  }
}

export const newcomer = () => ({ 'x-anonymous-id': `anon-${randomBytes(16).toString('hex')}` })

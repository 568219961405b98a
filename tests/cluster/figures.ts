/** What a fault cost, computed from the responses and from what's stored in the end. */
import type { Cluster } from './cluster.ts'
import type { Answer, Kept } from './writers.ts'

export const LIMITS = { secondsAway: 15, answerSeconds: 1 }

export interface FaultFigures {
  /** The longest time after the fault without an acknowledged write, in seconds. */
  secondsAway: number
  /** Failed writes in that time, by status. 0 is a broken connection. */
  refused: Record<number, number>
  /** How many 503s took too long, and the slowest failure, in seconds. */
  tooSlow: number
  slowest: number
  withoutRetryAfter: number
  pages: number
  pagesFailed: number
  lists: number
  listsFailed: number
}

/**
 * @param from when the fault began
 * @param to when everything worked again
 */
export function figuresOf(kept: Kept, from: number, to: number): FaultFigures {
  const isYes = (answer: Answer) => answer.status >= 200 && answer.status < 300
  const moments = kept.answers
    .filter((answer) => isYes(answer) && answer.answeredAt >= from && answer.answeredAt <= to)
    .map(({ answeredAt }) => answeredAt)
    .sort((a, b) => a - b)
  let gap = { from, to: from }
  for (const [n, moment] of [...moments, to].entries()) {
    const before = moments[n - 1] ?? from
    if (moment - before > gap.to - gap.from) gap = { from: before, to: moment }
  }
  const refusals = kept.answers.filter(
    (answer) => !isYes(answer) && answer.answeredAt >= gap.from && answer.sentAt <= gap.to,
  )
  const seconds = ({ sentAt, answeredAt }: Answer) => (answeredAt - sentAt) / 1000
  const refused: Record<number, number> = {}
  for (const { status } of refusals) refused[status] = (refused[status] ?? 0) + 1
  const within = ({ at }: { at: number }) => at >= gap.from && at <= gap.to
  const pages = kept.pages.filter(within)
  const lists = kept.lists.filter(within)
  return {
    secondsAway: (gap.to - gap.from) / 1000,
    refused,
    tooSlow: refusals.filter((answer) => seconds(answer) > LIMITS.answerSeconds).length,
    slowest: Math.max(0, ...refusals.map(seconds)),
    withoutRetryAfter: refusals.filter((it) => it.status === 503 && !it.retryAfter).length,
    pages: pages.length,
    pagesFailed: pages.filter(({ status }) => status !== 200).length,
    lists: lists.length,
    listsFailed: lists.filter(({ status }) => status !== 200).length,
  }
}

export interface Losses {
  lost: number
  doubled: number
  notServed: number
}

/** Everything was acknowledged in the end, so exactly that must be stored, no more and no less. */
export async function lossesIn(cluster: Cluster, kept: Kept, threads: string[]): Promise<Losses> {
  const stored = await cluster.ask<{ id: string; body: string; thread_id: string }>(
    `select id, body, thread_id from comments where thread_id = any ($1)`,
    [threads],
  )
  const byId = new Map(stored.map((row) => [row.id, row]))
  const bodies = new Map<string, number>()
  for (const { body } of stored) bodies.set(body, (bodies.get(body) ?? 0) + 1)
  const served = new Set(
    (await Promise.all(threads.map((id) => readComments(cluster.url, id)))).flat(),
  )
  const figures: Losses = { lost: 0, doubled: 0, notServed: 0 }
  for (const { id, body, threadId } of kept.comments) {
    const row = byId.get(id)
    if (row?.body !== body || row.thread_id !== threadId) figures.lost += 1
    if ((bodies.get(body) ?? 0) > 1) figures.doubled += 1
    if (!served.has(id)) figures.notServed += 1
  }
  const votes = await cluster.ask<{ id: string; score: number; votes: string }>(
    // All of them are visitors.
    `select id, untrusted_score as score, (select count(*) from votes where subject_id = threads.id) as votes
       from threads where id = any ($1)`,
    [threads],
  )
  for (const { id, score, votes: found } of votes) {
    const given = kept.votes.get(id) ?? 0
    figures.lost += Math.max(0, given - Number(found))
    figures.doubled += Math.max(0, Number(found) - given)
    if (score !== Number(found)) figures.doubled += 1
  }
  return figures
}

/** How many reads each site process has sent to a standby, and to the primary. */
export async function readsBy(siteUrl: string): Promise<{ standby: number; primary: number }> {
  const text = await fetch(`${siteUrl}/metrics`).then((response) => response.text())
  const count = (from: string) =>
    Number(new RegExp(`^kettle_reads_total\\{from="${from}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0)
  return { standby: count('standby'), primary: count('primary') }
}

/** All pages of a thread, as a signed-out reader gets them. */
async function readComments(url: string, threadId: string): Promise<string[]> {
  const ids: string[] = []
  for (let after: string | null = null; ; ) {
    const query: string = after ? `?after=${after}` : ''
    const response = await fetch(`${url}/api/v1/threads/${threadId}/comments${query}`)
    const page = (await response.json()) as { comments: { id: string }[]; next: string | null }
    ids.push(...page.comments.map(({ id }) => id))
    if (!page.next) return ids
    after = page.next
  }
}

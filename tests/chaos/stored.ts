/** Whether everything acknowledged is in the tables, complete and once, and every counter matches its rows. */
import { setTimeout as pause } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { addressHash } from '#app/api/auth/addresses.server.ts'
import { counterDrift } from '#app/commands/counting.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import type { Book, Post } from './book.ts'

export type Written = Pick<
  Book,
  'posts' | 'votes' | 'ratings' | 'signUps' | 'requests' | 'messages'
>

/** @returns a sentence for everything that's lost, duplicated, incomplete or miscounted */
export async function lossesIn(db: Database, book: Written, secrets: Secrets): Promise<string[]> {
  return [
    ...(await wrongPosts(db, book)),
    ...(await wrongVotes(db, book)),
    ...(await wrongRatings(db, book)),
    ...(await lostSignUps(db, book, secrets)),
    ...(await wrongRequests(db, book)),
    ...(await lostMessages(db, book)),
    ...(await halves(db)),
    ...(await wrongCounts(db)),
  ]
}

/** PostgreSQL may still be running a dead process's last statement. */
export async function untilIdle(db: Database) {
  for (let others = 1; others > 0; ) {
    const [row] = await db.query<{ n: number }>(sql`
      select count(*) as n from pg_stat_activity
       where application_name = 'kettle' and pid <> pg_backend_pid() and state <> 'idle'`)
    others = row?.n ?? 0
    if (others > 0) await pause(20)
  }
}

interface PostRow {
  id: string
  body: string
  title: string
  isWhole: boolean
  options: number
  hidden: 'held' | 'removed' | null
}

async function wrongPosts(db: Database, { posts }: Written) {
  const rows = await db.query<PostRow>(sql`
    select id, title, body, html <> '' and excerpt <> '' as "isWhole", hidden,
           (select count(*) from poll_options where thread_id = threads.id) as options
      from threads
    union all
    select id, '', body, html <> '', hidden, 0 from comments where not is_deleted`)
  const byBody = new Map<string, PostRow[]>()
  for (const row of rows) byBody.set(row.body, [...(byBody.get(row.body) ?? []), row])
  return posts.flatMap((post) => {
    const problem = problemOf(post, byBody.get(post.body) ?? [])
    return problem ? [`The ${post.kind} ${post.mark} ${problem}`] : []
  })
}

function problemOf(post: Post, found: PostRow[]): string | undefined {
  if (found.length > 1) return `was sent once and is stored ${found.length} times`
  const [row] = found
  const isDeleted = post.gone?.how === 'deleted' || post.thread?.gone?.how === 'deleted'
  if (isDeleted) return row && 'was deleted and is still stored'
  // We don't know yet whether it's gone.
  if (isLeaving(post) || (post.thread && isLeaving(post.thread))) return undefined
  if (post.state !== 'stored')
    return row && post.state === 'refused' && !post.wasSentAgain
      ? 'was refused and is stored'
      : undefined
  if (!row) return 'was acknowledged and is gone'
  if (row.id !== post.id) return 'was acknowledged with another id'
  if (!row.isWhole || row.options !== post.options.length) return 'is stored, but incomplete'
  if (post.kind === 'thread' && row.title !== post.title) return 'has another title'
  const expected = post.gone ? 'removed' : null
  if (row.hidden !== expected) return `is ${row.hidden ?? 'shown'}, not ${expected ?? 'shown'}`
  return undefined
}

const isLeaving = (post: Post) => post.isLeaving && !post.gone

/** The server doesn't store voters' IDs, so this compares the sums for each post and value. */
async function wrongVotes(db: Database, { votes }: Written) {
  const rows = await db.query<{ subject: string; up: number; down: number }>(sql`
    select subject_id as subject, count(*) filter (where value = 1) as up,
           count(*) filter (where value = -1) as down from votes group by subject_id`)
  const counted = new Map(rows.map((row) => [row.subject, row]))
  const byPost = new Map<Post, { vote: number; isOpen: boolean }[]>()
  for (const cast of votes.values()) byPost.set(cast.post, [...(byPost.get(cast.post) ?? []), cast])
  return [...byPost].flatMap(([post, casts]) => {
    if ([post, post.thread].some((it) => it && (it.gone?.how === 'deleted' || isLeaving(it))))
      return []
    const { up = 0, down = 0 } = counted.get(post.id ?? '') ?? {}
    const open = casts.filter(({ isOpen }) => isOpen).length
    const sure = (value: number) =>
      casts.filter(({ isOpen, vote }) => !isOpen && vote === value).length
    const isRight = up >= sure(1) && down >= sure(-1) && up + down <= sure(1) + sure(-1) + open
    if (isRight) return []
    return [
      `Votes on ${post.mark}: ${up} up, ${down} down; acknowledged ${sure(1)} and ${sure(-1)}, ${open} open`,
    ]
  })
}

async function wrongRatings(db: Database, { ratings }: Written) {
  const rows = await db.query<{ id: string; rto: number; culture: number }>(
    sql`select id, rto, culture from ratings where num_nonnulls(rto, dei, work_life, culture) > 0`,
  )
  const byId = new Map(rows.map((row) => [row.id, row]))
  return [...ratings.values()].flatMap(({ id, stars, isOpen }) => {
    if (id === undefined) return []
    const row = byId.get(id)
    if (!row) return [`The rating ${id} was acknowledged and is gone`]
    return isOpen || (row.rto === stars && row.culture === stars)
      ? []
      : [`The rating ${id} has ${row.rto} and ${row.culture} stars, not ${stars}`]
  })
}

async function lostSignUps(db: Database, { signUps }: Written, secrets: Secrets) {
  const rows = await db.query<{ hash: string; username: string | null }>(sql`
    select email_hash as hash, username
      from accounts account left join profiles on profiles.account_id = account.id`)
  const byHash = new Map(rows.map((row) => [row.hash, row]))
  return signUps.flatMap(({ email, username, hasProfile }) => {
    const row = byHash.get(addressHash(secrets, email))
    const isThere = row && (!hasProfile || row.username === username)
    return isThere
      ? []
      : [`The sign-up of ${username} was acknowledged, but is missing or incomplete`]
  })
}

async function wrongRequests(db: Database, { requests }: Written) {
  const rows = await db.query<{ name: string; n: number }>(sql`
    select company_name as name, count(*) as n from company_requests group by company_name`)
  const byName = new Map(rows.map(({ name, n }) => [name, n]))
  return requests.flatMap(({ companyName, isAnswered }) => {
    const n = byName.get(companyName) ?? 0
    return n > 1 || (isAnswered && n === 0)
      ? [`The request "${companyName}" is stored ${n} times`]
      : []
  })
}

async function lostMessages(db: Database, { messages }: Written) {
  const rows = await db.query<{ message: string }>(sql`select message from contact_messages`)
  const words = rows.map(({ message }) => message)
  return messages.flatMap(({ message, isAnswered }) => {
    const n = words.filter((it) => it === message).length
    return n > 1 || (isAnswered && n === 0) ? [`The message "${message}" is stored ${n} times`] : []
  })
}

/** Rows that belong together and are written in one transaction. */
async function halves(db: Database) {
  const rows = await db.query<{ what: string; id: string }>(sql`
    select 'thread without its author’s name' as what, thread.id::text as id from threads thread
     where not exists (select from thread_names where thread_id = thread.id
                                                  and key = thread.key)
    union all select 'comment without its author’s name', comment.id::text from comments comment
     where not exists (select from thread_names where thread_id = comment.thread_id
                                                  and key = comment.key)
    union all select 'poll without options', thread_id::text from polls poll
     where not exists (select from poll_options where thread_id = poll.thread_id)
    union all select 'company without counters', company.id::text from companies company
     where not exists (select from company_stats where company_id = company.id)`)
  return rows.map(({ what, id }) => `A ${what}: ${id}`)
}

async function wrongCounts(db: Database) {
  const today = new Date().toISOString().slice(0, 10)
  const drift = await counterDrift(db, { today, minShown: 1 })
  return drift.map((it) => `${it.subject}, ${it.counter}: ${it.stored} is ${it.counted}`)
}

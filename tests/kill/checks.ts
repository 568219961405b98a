/** Whether all that was acknowledged is in the tables, whole, and every count is that of its rows. */
import sql, { type Sql } from 'sql-template-tag'
import { counterDrift } from '../../app/main.counting.server.ts'
import type { Database } from '../../app/server/database.server.ts'
import type { Kept } from './writers.ts'

/** @returns a sentence per thing that is lost, half, or wrongly counted */
export async function lossesIn(db: Database, kept: Kept): Promise<string[]> {
  return [...(await missing(db, kept)), ...(await halves(db)), ...(await wrongCounts(db))]
}

async function missing(db: Database, kept: Kept) {
  const lost: string[] = []
  /** `found` answers, for the JSON of what was acknowledged, which of it stands there as it was sent. */
  const look = async <Item extends object>(
    what: string,
    items: Item[],
    idOf: (item: Item) => string,
    found: (items: Sql) => Sql,
  ) => {
    const given = sql`json_array_elements(${JSON.stringify(items)}::text::json) as given(item)`
    const rows = await db.query<{ id: string }>(found(given))
    const there = new Set(rows.map(({ id }) => id))
    for (const item of items)
      if (!there.has(idOf(item)))
        lost.push(`The ${what} ${idOf(item)} was acknowledged and is gone`)
  }
  await look(
    'sign-up',
    kept.signUps,
    ({ id }) => id,
    (given) => sql`
    select account.id from ${given} join accounts account on account.id = (item ->> 'id')::uuid
     where exists (select from sessions where account_id = account.id)
       and (item ->> 'username' is null
            or exists (select from profiles where account_id = account.id
                                              and username = item ->> 'username'))`,
  )
  await look(
    'thread',
    kept.threads,
    ({ id }) => id,
    (given) => sql`
    select thread.id from ${given} join threads thread on thread.id = (item ->> 'id')::uuid
       and title = item ->> 'title' and body = item ->> 'body' and html <> '' and excerpt <> ''
     where (select count(*) from poll_options where thread_id = thread.id)
             = json_array_length(item -> 'options')`,
  )
  await look(
    'comment',
    kept.comments,
    ({ id }) => id,
    (given) => sql`
    select comment.id from ${given} join comments comment on comment.id = (item ->> 'id')::uuid
       and thread_id = (item ->> 'threadId')::uuid and body = item ->> 'body'`,
  )
  await look(
    'rating',
    kept.ratings,
    ({ id }) => id,
    (given) => sql`
    select id from ${given} join ratings on id = (item ->> 'id')::uuid
       and rto = (item ->> 'stars')::integer and culture = rto`,
  )
  await look(
    'request',
    kept.requests,
    ({ companyName }) => companyName,
    (given) => sql`
    select company_name as id from ${given}
      join company_requests on company_name = item ->> 'companyName'`,
  )
  await look(
    'message',
    kept.messages,
    ({ sending }) => sending,
    (given) => sql`
    select sending as id from ${given}
      join contact_messages using_message on sending = (item ->> 'sending')::uuid
       and using_message.message = item ->> 'message'`,
  )

  // The server keeps no voter's id, so votes are looked for as a sum: of each subject, of each value.
  const votes = [...kept.votes.values()].filter(({ vote }) => vote !== undefined)
  const rows = await db.query<{ subject: string; up: number; down: number }>(sql`
    select subject_id as subject, count(*) filter (where value = 1) as up,
           count(*) filter (where value = -1) as down from votes group by subject_id`)
  const counted = new Map(rows.map((row) => [row.subject, row]))
  for (const subject of new Set(votes.map(({ subject }) => subject))) {
    const of = votes.filter((vote) => vote.subject === subject)
    const { up = 0, down = 0 } = counted.get(subject) ?? {}
    const openEnds = [...kept.votes.values()].filter((vote) => vote.subject === subject).length
    const ups = of.filter(({ vote }) => vote === 1).length
    const downs = of.length - ups
    if (up < ups || down < downs || up + down > openEnds)
      lost.push(`Votes on ${subject}: ${up} up, ${down} down; acknowledged ${ups} and ${downs}`)
  }
  for (const { title } of kept.unanswered) {
    const [row] = await db.query<{ n: number }>(sql`
      select (select count(*) from threads where title = ${title})
           + (select count(*) from comments where body = ${title})
           + (select count(*) from contact_messages where message = ${title}) as n`)
    if ((row?.n ?? 0) > 1) lost.push(`"${title}" was sent again and is there twice`)
  }
  return lost
}

/** What belongs together and is written in one transaction. */
async function halves(db: Database) {
  const rows = await db.query<{ what: string; id: string }>(sql`
    select 'thread without its author’s name' as what, thread.id::text as id from threads thread
     where not exists (select from thread_names where thread_id = thread.id
                                                  and author_key = thread.author_key)
    union all select 'comment without its author’s name', comment.id::text from comments comment
     where not exists (select from thread_names where thread_id = comment.thread_id
                                                  and author_key = comment.author_key)
    union all select 'poll without options', thread_id::text from polls poll
     where not exists (select from poll_options where thread_id = poll.thread_id)
    union all select 'company without counters', company.id::text from companies company
     where not exists (select from company_stats where company_id = company.id)`)
  return rows.map(({ what, id }) => `A ${what}: ${id}`)
}

async function wrongCounts(db: Database) {
  const drift = await counterDrift(db, {
    today: new Date().toISOString().slice(0, 10),
    minShown: 1,
  })
  const rows = await db.query<{ what: string; id: string; kept: number; counted: number }>(sql`
    select * from (
      select 'comments of thread' as what, id::text, comments as kept,
             (select count(*) from comments where thread_id = thread.id and not is_deleted) as counted
        from threads thread
      union all select 'last place of thread', id::text, last_place,
             (select coalesce(max(place), 0) from comments where thread_id = thread.id)
        from threads thread
      union all select 'answered thread', id::text, is_answered::integer,
             exists (select from comments where thread_id = thread.id)::integer
        from threads thread
      union all select 'score of thread', id::text, score,
             (select coalesce(sum(value), 0) from votes where subject_id = thread.id)
        from threads thread
      union all select 'score of comment', id::text, score,
             (select coalesce(sum(value), 0) from votes where subject_id = comment.id)
        from comments comment
      union all select 'cred of author', author_key, cred,
             (select coalesce(sum(score), 0) from (
                select author_key, score from threads
                union all select author_key, score from comments) post
               where post.author_key = author_cred.author_key)
        from author_cred
    ) counts where kept <> counted`)
  return [
    ...drift.map((it) => `${it.subject}, ${it.counter}: ${it.kept} is ${it.counted}`),
    ...rows.map((it) => `The ${it.what} ${it.id}: ${it.kept} is ${it.counted}`),
  ]
}

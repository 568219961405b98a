/** The discussions of the made-up companies, for a demo site. */
import { createHash, randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import { numberKeys } from '#app/api/auth/context-keys.server.ts'
import { type PersonRoot, rootWithoutAccount } from '#app/api/auth/roots.server.ts'
import { generateUsername } from '#app/identity/accounts/username.ts'
import { excerptOf } from '#app/kit/writing/excerpt.server.ts'
import { markdownHtml } from '#app/kit/writing/markdown.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { type ServerContext, transaction } from '#app/platform/database/server-context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { projectFolder } from '#app/platform/folders.server.ts'
import { sealAuthor, sealNamed, threadKey } from '../posts/own-posts.server.ts'
import { pseudonymOf } from '../posts/pseudonym.ts'

interface StarterPost {
  author: string
  signed?: boolean
  visitor?: boolean
  body: string
  score?: number
}
interface StarterComment extends StarterPost {
  minutesAfter: number
  replies?: StarterComment[]
}
interface StarterThread extends StarterPost {
  company: string | null
  title: string
  topics?: string[]
  minutesAgo: number
  poll?: { options: string[]; votes: number[]; days: number }
  comments?: StarterComment[]
}

/** Fills a site without threads. @returns how many were added */
export async function loadStarterThreads(
  ctx: Pick<ServerContext, 'db' | 'now' | 'secrets'>,
): Promise<number> {
  return transaction(ctx, async (ctx) => {
    const { db } = ctx
    await db.query(sql`lock table threads in share row exclusive mode`)
    const [first] = await db.query(sql`select from threads limit 1`)
    if (first) return 0
    const threads: StarterThread[] = JSON.parse(
      await readFile(join(projectFolder, 'db/starter/demo-threads.json'), 'utf8'),
    )
    const companies = await db.query<{ id: string; name: string }>(
      sql`select id, name from companies where demo`,
    )
    const idOf = new Map(companies.map(({ id, name }) => [name, id]))
    const rows = rowsOf(threads, idOf, {
      minute: minuteOf(ctx.now()),
      authorsOf: createAuthors(ctx.secrets),
    })
    await insertRows(db, rows)
    return threads.length
  })
}

interface Rows {
  threads: object[]
  comments: object[]
  names: object[]
  votes: { subject_id: string; value: number }[]
  polls: object[]
  options: object[]
  pollVotes: object[]
}

function rowsOf(
  threads: StarterThread[],
  companies: ReadonlyMap<string, string>,
  { minute, authorsOf }: { minute: number; authorsOf: Authors },
): Rows {
  const rows: Rows = {
    threads: [],
    comments: [],
    names: [],
    votes: [],
    polls: [],
    options: [],
    pollVotes: [],
  }
  for (const thread of threads) {
    const id = randomUUID()
    const posted = minute - thread.minutesAgo
    const nameOf = namesIn(id, rows.names, authorsOf)
    let place = 0
    const add = (comment: StarterComment, parentId: string | null, after: number) => {
      const commentId = randomUUID()
      const at = Math.min(after + Math.max(1, comment.minutesAfter), minute)
      rows.comments.push({
        ...postRow(comment, { id: commentId, minute: at, name: nameOf(comment) }),
        ...authorsOf.comment(comment.author, id, commentId),
        thread_id: id,
        parent_id: parentId,
        place: ++place,
      })
      addVotes(rows, commentId, comment.score ?? 0)
      for (const reply of comment.replies ?? []) add(reply, commentId, at)
    }
    const name = nameOf(thread)
    for (const comment of thread.comments ?? []) add(comment, null, posted)
    rows.threads.push({
      ...postRow(thread, { id, minute: posted, name }),
      ...authorsOf.thread(thread.author, id),
      company_id: thread.company === null ? null : (companies.get(thread.company) ?? null),
      title: thread.title,
      excerpt: excerptOf(thread.body),
      topics: thread.topics ?? [],
      comments: place,
      last_place: place,
      is_answered: place > 0,
    })
    addVotes(rows, id, thread.score ?? 0)
    if (thread.poll) addPoll(rows, id, thread.poll, posted)
  }
  return rows
}

const postRow = (
  post: StarterPost,
  { id, minute, name }: { id: string; minute: number; name: string },
) => ({
  id,
  author_name: name,
  is_visitor: post.visitor ?? false,
  body: post.body,
  html: markdownHtml(post.body),
  posted_minute: minute,
  score: post.score ?? 0,
  idempotency_key: `starter ${id}`,
})

/** Bytes as PostgreSQL reads them from JSON. */
const asBytea = (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`

/** We make a persona's keys the same way as everyone's. */
function createAuthors(secrets: Secrets) {
  const personas = new Map<
    string,
    { person: PersonRoot; written: { thread: number; comment: number } }
  >()
  const personaOf = (author: string) => {
    const authorKey = secrets.hash('author', 'demo', author)
    const person = { root: rootWithoutAccount(secrets, authorKey) }
    const persona = personas.get(author) ?? { person, written: { thread: 0, comment: 0 } }
    personas.set(author, persona)
    return persona
  }
  const post = (kind: 'thread' | 'comment', author: string, threadId: string, id: string) => {
    const { person, written } = personaOf(author)
    const [ownRowKey] = numberKeys(person.root, kind, written[kind]++, 1)
    return {
      key: asBytea(threadKey(person.root, threadId)),
      own_row_key: asBytea(ownRowKey as Buffer),
      person_sealed: asBytea(sealAuthor(secrets, id, person)),
    }
  }
  return {
    thread: (author: string, id: string) => post('thread', author, id, id),
    comment: (author: string, threadId: string, id: string) =>
      post('comment', author, threadId, id),
    name(author: string, threadId: string) {
      const { person } = personaOf(author)
      const key = threadKey(person.root, threadId)
      return { key: asBytea(key), person_sealed: asBytea(sealNamed(secrets, key, person)) }
    },
  }
}

type Authors = ReturnType<typeof createAuthors>

/** A persona has one name within a thread, as everyone does. */
function namesIn(threadId: string, rows: object[], authorsOf: Authors) {
  const drawn = new Map<string, string>()
  return ({ author, signed }: StarterPost) => {
    const seed = createHash('sha256').update(`${author} in ${threadId}`).digest()
    if (signed) return usernameOf(author)
    const known = drawn.get(author)
    if (known) return known
    let name = pseudonymOf(seed, 0)
    for (let attempt = 1; [...drawn.values()].includes(name); attempt++)
      name = pseudonymOf(seed, attempt)
    drawn.set(author, name)
    rows.push({ thread_id: threadId, ...authorsOf.name(author, threadId), name })
    return name
  }
}

function usernameOf(author: string) {
  const seed = createHash('sha256').update(author).digest()
  let at = 0
  return generateUsername(() => seed.readUInt16BE((at++ * 2) % 30) / 65_536)
}

/** Starter threads get real votes, because a score is a sum of votes. */
function addVotes(rows: Rows, subjectId: string, score: number) {
  for (let n = 0; n < Math.abs(score); n++)
    rows.votes.push({
      subject_id: subjectId,
      value: Math.sign(score),
    })
}

function addPoll(
  rows: Rows,
  threadId: string,
  { options, votes, days }: NonNullable<StarterThread['poll']>,
  posted: number,
) {
  const closesOn = new Date((posted + days * 1_440) * 60_000).toISOString().slice(0, 10)
  rows.polls.push({ thread_id: threadId, closes_on: closesOn })
  for (const [place, text] of options.entries()) {
    const count = votes[place] ?? 0
    rows.options.push({ thread_id: threadId, place, text, votes: count })
    for (let n = 0; n < count; n++) rows.pollVotes.push({ thread_id: threadId, place })
  }
}

async function insertRows(db: Database, rows: Rows) {
  const json = (list: object[]) => sql`${JSON.stringify(list)}::json`
  await db.query(sql`
    insert into threads (id, company_id, key, own_row_key, person_sealed, author_name, is_visitor, title, body, html,
                         excerpt, topics, posted_minute, comments, last_place, is_answered, score, idempotency_key)
    select id, company_id, key, own_row_key, person_sealed, author_name, is_visitor, title, body, html, excerpt,
           array(select json_array_elements_text(topics)), posted_minute, comments, last_place,
           is_answered, score, idempotency_key
      from json_to_recordset(${json(rows.threads)}) as row(
        id uuid, company_id uuid, key bytea, own_row_key bytea, person_sealed bytea, author_name text, is_visitor boolean, title text,
        body text, html text, excerpt text, topics json, posted_minute integer, comments integer,
        last_place integer, is_answered boolean, score integer, idempotency_key text)`)
  await db.query(sql`
    insert into comments (id, thread_id, parent_id, key, own_row_key, person_sealed, author_name, is_visitor, body, html,
                          posted_minute, place, score, idempotency_key)
    select id, thread_id, parent_id, key, own_row_key, person_sealed, author_name, is_visitor, body, html, posted_minute,
           place, score, idempotency_key
      from json_to_recordset(${json(rows.comments)}) as row(
        id uuid, thread_id uuid, parent_id uuid, key bytea, own_row_key bytea, person_sealed bytea, author_name text,
        is_visitor boolean, body text, html text, posted_minute integer, place integer,
        score integer, idempotency_key text)`)
  await db.query(sql`
    insert into thread_names (thread_id, key, person_sealed, name)
    select * from json_to_recordset(${json(rows.names)})
      as row(thread_id uuid, key bytea, person_sealed bytea, name text)`)
  await db.query(sql`
    insert into votes (subject_id, key, value)
    select subject_id, uuid_send(gen_random_uuid()), value
      from json_to_recordset(${json(rows.votes)}) as row(subject_id uuid, value smallint)`)
  await db.query(sql`
    insert into polls select * from json_to_recordset(${json(rows.polls)})
      as row(thread_id uuid, closes_on date)`)
  await db.query(sql`
    insert into poll_options select * from json_to_recordset(${json(rows.options)})
      as row(thread_id uuid, place smallint, text text, votes integer)`)
  await db.query(sql`
    insert into poll_votes (thread_id, key, place)
    select thread_id, uuid_send(gen_random_uuid()), place
      from json_to_recordset(${json(rows.pollVotes)}) as row(thread_id uuid, place smallint)`)
  await db.query(sql`
    update company_stats set threads = counted.threads, comments = counted.comments
      from (select company_id, count(*)::integer as threads, sum(comments)::integer as comments
              from threads where company_id is not null group by company_id) counted
     where company_stats.company_id = counted.company_id`)
}

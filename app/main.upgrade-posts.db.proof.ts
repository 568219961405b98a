/** Threads and comments that an earlier program kept are their authors' after the upgrade, under no old key. */
import { rm } from 'node:fs/promises'
import sql, { raw } from 'sql-template-tag'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ownerOf, rootOf } from '#app/api/auth/roots.server.ts'
import { addComment } from '#app/community/discussions/comments/comment-commands.server.ts'
import {
  commentsPage,
  myComments,
} from '#app/community/discussions/comments/comment-queries.server.ts'
import { openAuthor } from '#app/community/discussions/posts/own-posts.server.ts'
import { deleteThread } from '#app/community/discussions/threads/thread-commands.server.ts'
import { myThread, myThreads } from '#app/community/discussions/threads/thread-queries.server.ts'
import { suspensionOf } from '#app/community/reports/suspension-queries.server.ts'
import {
  listNotifications,
  unreadCount,
} from '#app/moderation/notifications/notification-queries.server.ts'
import type { OpenDatabase } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { NOW, openTestDatabase, testSecrets } from '#tests/support/database.ts'
import {
  carryOverThoughEnded,
  DANA,
  danaOn,
  danasKey,
  LAST_WITH_AUTHOR_KEYS,
  openFormer,
  veraOn,
  verasKey,
} from '#tests/support/former-site.ts'
import { features } from './main.features.server.ts'
import { upgrade } from './main.upgrade.server.ts'

const THREADS = 24
/** Of two months, told backwards. */
const NEWS_MINUTE = Math.floor(NOW.getTime() / 60_000)
const threadId = (n: number) => `00000000-0000-4000-8001-${String(n).padStart(12, '0')}`
const commentId = (n: number) => `00000000-0000-4000-8002-${String(n).padStart(12, '0')}`
/** Dana's are the even ones, vera's the odd ones; the last one's author left. */
const authorOf = (n: number) =>
  n === THREADS - 1 ? 'gone 1' : ([danasKey, verasKey][n % 2] as string)
const hers = (rest: number) =>
  Array.from({ length: THREADS - 1 }, (_, n) => n)
    .filter((n) => n % 2 === rest)
    .reverse()

let db: OpenDatabase
let folder: string
beforeEach(async () => {
  ;({ db, folder } = await openFormer(LAST_WITH_AUTHOR_KEYS))
})
afterEach(async () => {
  await db.close()
  await rm(folder, { recursive: true })
})
const dana = () => danaOn(db)
const vera = () => veraOn(db)

async function fill() {
  await db.query(sql`
    insert into accounts (id, email_hash, email_sealed, made_in_month)
    values (${DANA}, 'dana', 'sealed', '2026-01-01')`)
  for (let n = 0; n < THREADS; n++) {
    await db.query(sql`
      insert into threads (id, author_key, author_name, is_visitor, title, body, html, excerpt,
                           posted_minute, comments, last_place, is_answered, score, sending)
      values (${threadId(n)}, ${authorOf(n)}, 'Calm Heron', ${n % 2 === 1}, ${`About something ${n}`},
              'Words', '', '', ${n}, 1, 1, true, ${n}, ${`s${n}`})`)
    // Everybody answers the next one's thread, and dana her first one too.
    await db.query(sql`
      insert into comments (id, thread_id, author_key, author_name, is_visitor, body, html,
                            posted_minute, place, sending)
      values (${commentId(n)}, ${threadId(n)}, ${n === 0 ? danasKey : authorOf(n - 1)}, 'Merry Otter',
              ${n % 2 === 0}, 'An answer', '', ${n}, 1, ${`c${n}`})`)
    await db.query(sql`
      insert into thread_names (thread_id, author_key, name)
      values (${threadId(n)}, ${authorOf(n)}, 'Calm Heron')`)
    await db.query(sql`
      insert into moderation_cases (thread_id, cause, is_open, opened_on)
      values (${threadId(n)}, 'moderator', false, '2026-03-01')`)
    await db.query(sql`
      insert into suspensions (case_id, author_key, ends_on, reason)
      select id, ${danasKey}, ${`2026-03-${20 + (n % 3)}`}, 'spam' from moderation_cases
       where thread_id = ${threadId(n)} and ${n < 3}`)
    await db.query(sql`
      insert into notifications (author_key, kind, thread_id, comment_id, latest_id, minute)
      values (${verasKey}, 'reply', ${threadId(n)}, ${commentId(n)}, ${commentId(n)},
              ${NEWS_MINUTE - n * 1_440})`)
  }
  await db.query(sql`
    with acme as (
      insert into companies (name, name_key, search_text)
      values ('Acme', 'acme', ${'acme\n\nother'}) returning id),
    about as (update threads set company_id = acme.id from acme where threads.id = ${threadId(3)})
    insert into notifications (author_key, kind, company_id, event, thread_ids, minute)
    select ${danasKey}, 'alert', id, 'thread', array[${threadId(3)}::uuid], ${NEWS_MINUTE} from acme`)
}

/** Everything that dana and vera wrote, as they see it. */
async function expectPostsThere() {
  for (const [rest, ctx] of [await dana(), vera()].entries()) {
    const { threads } = await myThreads(ctx)
    expect(threads.map(({ id }) => id)).toEqual(hers(rest).map(threadId))
    const { comments } = await myComments(ctx)
    const answered = [...hers(rest).map((n) => n + 1), ...(rest === 0 ? [0] : [])]
    expect(comments.map(({ id }) => id)).toEqual(answered.map(commentId))
    expect(await myThread(ctx, threadId(rest))).toMatchObject({ isMine: true, name: 'Calm Heron' })
    expect(await myThread(ctx, threadId(1 - rest))).toMatchObject({ isMine: false, name: null })
    expect(await myThread(ctx, threadId(THREADS - 1))).toMatchObject({ isMine: false })
    const [post] = await db.query<{ id: string; owner: Uint8Array }>(sql`
      select id, owner from threads where id = ${threadId(rest)}`)
    expect(openAuthor(testSecrets, post?.id as string, post?.owner ?? null)).toEqual(ownerOf(ctx))
  }
  expect(await unreadCount(vera())).toEqual({ unread: THREADS })
  const { notifications } = await listNotifications(await dana())
  expect(notifications).toMatchObject([{ kind: 'alert', count: 1 }])
  const suspensions = await Promise.all(
    [await dana(), vera()].map((ctx) => suspensionOf(ctx, rootOf(ctx) as Buffer)),
  )
  expect(suspensions).toEqual([{ endsOn: '2026-03-22', reason: 'spam' }, undefined])
  const isOp = async (n: number) =>
    (await commentsPage(vera(), threadId(n), { sort: 'old' })).comments[0]?.isOp
  expect([await isOp(0), await isOp(1)]).toEqual([true, false])
  const [gone] = await db.query(
    sql`select owner, score from threads where id = ${threadId(THREADS - 1)}`,
  )
  expect(gone).toEqual({ owner: null, score: THREADS - 1 })
}

const posts = features.flatMap(({ carried = [] }) => carried)

test('dana and vera find what they wrote, whatever ends it on the way', async () => {
  await fill()
  await migrate(db)
  const ended = await carryOverThoughEnded(db, posts, 5)
  expect(ended).toBeGreaterThan(5)
  await expectPostsThere()
})

test('what is written next has the next number, and the name from before', async () => {
  await fill()
  await upgrade(db, testSecrets)
  const form = { body: 'And one more', name: 'pseudonym', sending: 'next' } as const
  const added = await addComment(vera(), threadId(1), form)
  expect(added).toMatchObject({ isOp: true, author: { name: 'Calm Heron' } })
  expect((await myComments(vera())).comments[0]?.id).toBe(added.id)
})

test('what referred to a thread does so still, and goes with it', async () => {
  await fill()
  await upgrade(db, testSecrets)
  const count = async (table: string) => (await db.query(sql`select from ${raw(table)}`)).length
  const tables = ['moderation_cases', 'notifications', 'comments', 'thread_names']
  await db.query(sql`delete from notifications where kind = 'alert'`)
  for (const table of tables) expect(await count(table)).toBe(THREADS)
  await deleteThread(vera(), threadId(1))
  for (const table of tables) expect(await count(table)).toBe(THREADS - 1)
})

test('the schema is that of a new site', async () => {
  await fill()
  await upgrade(db, testSecrets)
  const fresh = await openTestDatabase({ isEmpty: true })
  try {
    await upgrade(fresh, testSecrets)
    const schemaOf = async (db: OpenDatabase) =>
      (
        await db.query<{ line: string }>(sql`
          select indexdef as line from pg_indexes where schemaname = 'public'
          union all
          select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
            from pg_constraint where contype <> 'n' and conrelid <> 0 and connamespace = 'public'::regnamespace
          union all
          select table_name || ' ' || column_name || ' ' || data_type || ' ' || is_nullable
            from information_schema.columns where table_schema = 'public'
          union all
          select tgrelid::regclass || ' ' || tgname from pg_trigger where not tgisinternal
          order by 1`)
      ).map(({ line }) => line)
    expect(await schemaOf(db)).toEqual(await schemaOf(fresh))
  } finally {
    await fresh.close()
  }
})

test('no file of the database has a former key of an author', async () => {
  await fill()
  await upgrade(db, testSecrets)
  await db.script('checkpoint')
  const filesWith = (text: string) =>
    db.query(sql`
        select file from (select 'base/' || oid as folder from pg_database
                           where datname = current_database()) here,
               pg_ls_dir(folder) as file
         where file ~ '^\\d+(\\.\\d+)?$'
           and position(${Buffer.from(text)}::bytea in
                        pg_read_binary_file(folder || '/' || file, 0, 1000000000, true)) > 0`)
  expect(await filesWith('About something 7')).not.toEqual([])
  expect(await filesWith(danasKey)).toEqual([])
  expect(await filesWith(verasKey)).toEqual([])
})

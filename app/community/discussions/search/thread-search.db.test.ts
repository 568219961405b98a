/** Searching threads: what's found, what's quoted, and what no one may find. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { minuteOf } from '#app/platform/days.server.ts'
import { giveErinHerCompany } from '#tests/people.ts'
import { slow } from '#tests/support/amounts.ts'
import { withDatabase } from '#tests/support/database.ts'
import { addComment, startThread } from '#tests/support/unlimited.ts'
import { deleteComment } from '../comments/comment-commands.server.ts'
import type { ThreadSearch } from './found-posts.server.ts'
import { searchThreads } from './thread-search.server.ts'

const { as } = withDatabase()

const thread = (
  title: string,
  body = '',
  over: { companyId?: string; topics?: string[] } = {},
) => ({
  title,
  body,
  topics: [],
  name: 'pseudonym' as const,
  idempotencyKey: crypto.randomUUID(),
  ...over,
})
const comment = (body: string, parentId?: string) => ({
  body,
  parentId,
  name: 'pseudonym' as const,
  idempotencyKey: crypto.randomUUID(),
})
const search = (ctx: Ctx, text: string, over: Partial<ThreadSearch> = {}) =>
  searchThreads(ctx, { search: text, sort: 'new', period: 'all', ...over })
const titles = async (ctx: Ctx, text: string, over: Partial<ThreadSearch> = {}) =>
  (await search(ctx, text, over)).threads.map(({ title }) => title)
const matchOf = async (ctx: Ctx, text: string) => (await search(ctx, text)).threads[0]?.match

/** All pages, in a reader's order. */
async function all(ctx: Ctx, text: string, over: Partial<ThreadSearch> = {}) {
  const ids: string[] = []
  let after: string | undefined
  do {
    const page = await search(ctx, text, { ...over, after })
    ids.push(...page.threads.map(({ id }) => id))
    after = page.next ?? undefined
  } while (after)
  return ids
}

/** Threads a minute apart, every second one with "samovar" in its text, and one comment each. */
async function manyThreads(ctx: Ctx, count: number) {
  await ctx.db.query(sql`
    insert into threads (key, own_row_key, author_name, is_visitor, title, body, html, excerpt,
                         posted_minute, score, is_answered, comments, last_place, idempotency_key)
    select decode(md5(n::text), 'hex'), decode(md5(n::text), 'hex'), 'Sunny Teapot', false, 'Thread number ' || n,
           case when n % 2 = 0 then 'About a samovar' else 'About tea' end, '', '',
           ${minuteOf(ctx.now())} - n, n % 7, true, 1, 1, 'bench ' || n
      from generate_series(1, ${count}::integer) n`)
  await ctx.db.query(sql`
    insert into comments (thread_id, key, own_row_key, author_name, is_visitor, body, html,
                          posted_minute, place, idempotency_key)
    select id, key, own_row_key, 'Merry Otter', false, 'Everybody wants a biscuit', '', posted_minute, 1, id
      from threads where idempotency_key like 'bench %'`)
}

describe('what is found', () => {
  test('a search finds words of titles, texts and comments, in any form', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('A new coffee machine', 'It makes biscuits.'))
      const { id } = await startThread(ctx, thread('The third floor', 'Who was there?'))
      await addComment(ctx, id, comment('There are two samovars on the third floor'))
      expect(await titles(ctx, 'coffee')).toEqual(['A new coffee machine'])
      expect(await titles(ctx, 'biscuit')).toEqual(['A new coffee machine'])
      expect(await titles(ctx, 'samovar')).toEqual(['The third floor'])
      expect(await titles(ctx, '"third floor"')).toEqual(['The third floor'])
      expect(await titles(ctx, 'machine or samovar')).toHaveLength(2)
      expect(await titles(ctx, 'samovar -floor')).toEqual([])
      expect(await titles(ctx, 'teaspoon')).toEqual([])
    }))

  test.each([
    ['Our C++ team shrinks', 'C++'],
    ['A C# shop', 'c#'],
    ['They pay R&D less', 'r&d'],
    ['加班文化怎么样啊', '加班'],
    ['毎週パスワードを変える会社', 'パスワード'],
    ['삼성전자에서 일하기', '삼성전자'],
    ['เงินเดือนของพนักงาน', 'พนักงาน'],
    ['Wieder Kaffee im Café', 'cafe'],
    ['Wieder Kaffee im Café', 'cafe\u0301'],
    ['Your resume, please', 'résumé'],
    ['Große Büros', 'grosse buros'],
    ['IT help desk at night', 'IT'],
    ['Don’t trust the promise', "don't"],
    ['Don’t trust the promise', 'dont trust'],
    ['To be or not to be here', 'to be or not to be'],
    ['Node.js people leave', 'node'],
    ['Node.js people leave', 'nodejs'],
    ['NodeJS people leave', 'node.js'],
    ['Our co-working plan', 'coworking'],
    ['Our coworking plan', 'co-working'],
    ['Our co working plan', 'co-working plan'],
    ['See https://w.example/pay-bands', 'https://w.example/pay-bands'],
    ['See https://w.example/pay-bands', 'w.example'],
    ['See https://w.example/pay-bands', 'pay bands'],
  ])('a title and text of %j are found by %j', (said, asked) =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('Nothing of interest', 'Nor a word of what others say'))
      await startThread(ctx, thread(said))
      await startThread(ctx, thread('Below it', said))
      expect((await titles(ctx, asked)).toSorted()).toEqual(['Below it', said].toSorted())
    }),
  )

  test('a match is marked as it was written', () =>
    as('dana', async (ctx) => {
      const marked = async (text: string, asked: string) => {
        const { id } = await startThread(ctx, thread('Below it', text))
        const match = await matchOf(ctx, asked)
        await ctx.db.query(sql`delete from threads where id = ${id}`)
        return match?.text
      }
      expect(await marked('We drink in the Café.', 'cafe')).toEqual([
        'We drink in the ',
        'Café',
        '.',
      ])
      expect(await marked('Our C++ team', 'c++')).toEqual(['Our ', 'C++', ' team'])
      expect(await marked('讨论加班文化', '加班')).toEqual(['讨论', '加班', '文化'])
      expect(await marked('Node.js people', 'node')).toEqual(['', 'Node', '.js people'])
      expect(await marked('From .NET to C++17', '.net')).toEqual(['From ', '.NET', ' to C++17'])
      expect(await marked('On μισθός, σε', 'μισθος')).toEqual(['On ', 'μισθός', ', σε'])
      expect(await marked('At 401(k) age', '401k')).toEqual(['At 401(k) age'])
      expect(await marked('เขาทำงานหนัก', 'ทำงาน')).toEqual(['เขา', 'ทำงาน', 'หนัก'])
      expect(await marked('文化和加班，加班文化', '加班文化')).toEqual([
        '文化和加班，',
        '加班文化',
        '',
      ])
      expect(await marked('Pay 工资 and 工作', '工资 or pay')).toEqual([
        '',
        'Pay',
        ' ',
        '工资',
        ' and 工作',
      ])
      expect(await marked('Only 👍🏽👍 now', '👍')).toEqual(['Only ', '👍🏽👍', ' now'])
      expect(await marked('I ❤️ tea, 👩‍💻', '❤')).toEqual(['I ', '❤️', ' tea, 👩‍💻'])
      expect(await marked('I ❤️ tea, 👩‍💻', '👩‍💻')).toEqual(['I ❤️ tea, ', '👩‍💻', ''])
      expect(await marked('The ＫＰＩ talk', 'kpi')).toEqual(['The ', 'ＫＰＩ', ' talk'])
      // Where only the folded text shows it.
      expect(await marked('عن مُكَافَأَة', 'مكافأة')).toEqual(['عن ', 'مكافاة', ''])
    }))

  test('a search forgives a typo in a title if no word matches', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('Is it true about the Thursdays?'))
      await startThread(ctx, thread('Layoffs at the warehouse'))
      expect(await titles(ctx, 'Thurzdays')).toEqual(['Is it true about the Thursdays?'])
      expect(await titles(ctx, 'layofs')).toEqual(['Layoffs at the warehouse'])
      expect(await titles(ctx, 'layoffs in the warehuse')).toEqual(['Layoffs at the warehouse'])
      expect(await titles(ctx, 'promotion')).toEqual([])
    }))

  test('a title counts more than a text, a text more than comments, and age a little', () =>
    as('dana', async (ctx) => {
      const inComment = await startThread(ctx, thread('The third floor'))
      await addComment(ctx, inComment.id, comment('There is a samovar'))
      await startThread(ctx, thread('What is on the second floor', 'A samovar stands there'))
      await startThread(ctx, thread('A samovar on the first floor'))
      const best = [
        'A samovar on the first floor',
        'What is on the second floor',
        'The third floor',
      ]
      expect(await titles(ctx, 'samovar', { sort: 'relevance' })).toEqual(best)
      const aged = (title: string, days: number) =>
        ctx.db.query(
          sql`update threads set posted_minute = posted_minute - ${days * 1_440} where title = ${title}`,
        )
      await aged('A samovar on the first floor', 90)
      expect(await titles(ctx, 'samovar', { sort: 'relevance' })).toEqual(best)
      await aged('A samovar on the first floor', 5 * 365)
      expect((await titles(ctx, 'samovar', { sort: 'relevance' })).at(-1)).toBe(best[0])
    }))

  test('a search combines company, topic, period and order', () =>
    as('dana', async (ctx) => {
      const companyId = await giveErinHerCompany(ctx.db)
      const here = { companyId, topics: ['pay'] }
      const ids: string[] = []
      for (const [title, over] of [
        ['Kettle one', here],
        ['Kettle two', here],
        ['Kettle three', { companyId }],
        ['Kettle four', { topics: ['pay'] }],
        ['Something else', here],
      ] as const)
        ids.push((await startThread(ctx, thread(title, '', { ...over, topics: [] }))).id)
      await ctx.db.query(sql`update threads set topics = '{pay}' where title ~ 'one|two|four|else'`)
      await ctx.db.query(sql`update threads set score = 5 where title = 'Kettle one'`)
      await ctx.db.query(
        sql`update threads set posted_minute = posted_minute - 9000 where title = 'Kettle one'`,
      )
      const both = { company: companyId, topic: 'pay' }
      expect(await titles(ctx, 'kettle', { ...both, sort: 'top' })).toEqual([
        'Kettle one',
        'Kettle two',
      ])
      expect(await titles(ctx, 'kettle', both)).toEqual(['Kettle two', 'Kettle one'])
      expect(await titles(ctx, 'kettle', { ...both, sort: 'top', period: 'day' })).toEqual([
        'Kettle two',
      ])
      expect(await titles(ctx, 'ketle', { ...both, sort: 'top' })).toEqual([
        'Kettle one',
        'Kettle two',
      ])
      await addComment(ctx, ids[1] as string, comment('Answered'))
      expect(await titles(ctx, 'kettle', { ...both, sort: 'unanswered' })).toEqual(['Kettle one'])
    }))

  slow.test('the pages of a search have each thread once, in every order', () =>
    as('dana', async (ctx) => {
      await manyThreads(ctx, 300)
      for (const sort of ['relevance', 'hot', 'new', 'top'] as const)
        for (const [text, count] of [
          ['samovar', 150],
          ['biscuit', 300],
          ['samovar or biscuit', 300],
          ['samovr', 150],
        ] as const) {
          const ids = await all(ctx, text, { sort })
          expect(new Set(ids).size, `${sort} ${text}`).toBe(count)
          expect(ids, `${sort} ${text}`).toHaveLength(count)
        }
    }),
  )

  slow.test('a search counts up to a thousand results', () =>
    as('dana', async (ctx) => {
      await manyThreads(ctx, 1_001)
      const found = async (text: string) => (await search(ctx, text)).found
      expect(await found('samovar')).toEqual({ total: 500, totalIsExact: true })
      expect(await found('tea')).toEqual({ total: 501, totalIsExact: true })
      expect(await found('samovar or biscuit')).toEqual({ total: 1_000, totalIsExact: false })
      await ctx.db.query(sql`delete from threads where title = 'Thread number 7'`)
      expect(await found('biscuit')).toEqual({ total: 1_000, totalIsExact: true })
      expect(await found('zebra')).toEqual({ total: 0, totalIsExact: true })
      expect(await all(ctx, 'biscuit', { sort: 'relevance' })).toHaveLength(1_000)
    }),
  )

  test('a search finds old posts, too', () =>
    as('dana', async (ctx) => {
      const ages = [0, 1, 2, 6, 7, 13, 14, 20, 27, 60, 90, 91, 181, 182, 183, 400, 1_000, 4_000]
      for (const age of ages) {
        const { id } = await startThread(ctx, thread(`It was ${age} days ago`, 'A samovar'))
        const { id: answered } = await startThread(ctx, thread(`Or was it ${age} days?`))
        await addComment(ctx, answered, comment('A teaspoon'))
        const ids = [id, answered]
        await ctx.db.query(sql`
          update threads set posted_minute = posted_minute - ${age * 1_440} where id = any(${ids}::uuid[])`)
        await ctx.db.query(sql`
          update comments set posted_minute = posted_minute - ${age * 1_440} where thread_id = ${answered}`)
      }
      expect(await titles(ctx, 'samovar')).toEqual(ages.map((age) => `It was ${age} days ago`))
      expect(await titles(ctx, 'teaspoon')).toEqual(ages.map((age) => `Or was it ${age} days?`))
    }))

  test('a phrase finds words that stand together', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('A kettle of the office', 'The copper kettle is new.'))
      await startThread(ctx, thread('Copper in the kettle?', 'Is it safe?'))
      expect(await titles(ctx, '"copper kettle"')).toEqual(['A kettle of the office'])
      expect(await titles(ctx, 'copper -"copper kettle"')).toEqual(['Copper in the kettle?'])
    }))

  test('a search of excluded words finds nothing', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('Everything but biscuits'))
      expect(await titles(ctx, '-samovar')).toEqual([])
      expect(await titles(ctx, 'biscuit or -samovar')).toEqual([])
    }))

  test('a search of unknown words gets a suggestion', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('Parental leave in the warehouse'))
      const { id } = await startThread(ctx, thread('The third floor'))
      await addComment(ctx, id, comment('Where are the teaspoons?'))
      const { found } = await search(ctx, 'Parentl leave at the "warehuose"')
      expect(found?.meant).toBe('parental leave at the "warehouse"')
      expect((await search(ctx, 'teaspons')).found?.meant).toBe('teaspoons')
      expect((await search(ctx, 'parental leave')).found).not.toHaveProperty('meant')
      expect((await search(ctx, 'parental teaspoons')).found?.total).toBe(0)
      await startThread(ctx, thread('A theme for the summer party'))
      expect((await search(ctx, 'them')).found).toEqual({ total: 0, totalIsExact: true })
      expect((await search(ctx, 'them teaspons')).found?.meant).toBe('them teaspoons')
    }))

  test('a page marker works only within its search', () =>
    as('dana', async (ctx) => {
      await manyThreads(ctx, 60)
      const { next } = await search(ctx, 'samovar')
      const { next: alike } = await search(ctx, 'thraed nuumber')
      expect(next).not.toBeNull()
      for (const after of [next, alike, 'garbage', '', 'WyJuZXciLCIxIiwiMSJd'])
        await expect(
          search(ctx, 'samovar', { sort: 'top', after: after ?? 'garbage' }),
        ).rejects.toMatchObject({ status: 400 })
    }))

  test.each([
    [''],
    ['   '],
    ['\0'],
    ['sam\0ovar'],
    ['the a of'],
    ['"'],
    ["';--"],
    ['&|!():*'],
    ['\\'],
    ['%'],
    ['-'],
    ['or or or'],
    ['"" "" -""'],
    ['!&|<->:*()'.repeat(20)],
    ['-'.repeat(200)],
    ['\ud800'],
    ['🫖'],
    ['x'.repeat(5_000)],
    ['a '.repeat(100)],
    ['-"" '.repeat(50)],
    ['-or '.repeat(50)],
  ])('a search for %j gets a page', (text) =>
    as('vera', async (ctx) => {
      await startThread(ctx, thread('Nothing interesting'))
      expect(await search(ctx, text)).toMatchObject({ pinned: [], threads: [], next: null })
    }),
  )
})

describe('what no one can find', () => {
  test.each(['held', 'removed'])(
    'a thread that was %s isn’t found by its words or by a typo',
    (state) =>
      as('dana', async (ctx) => {
        const { id } = await startThread(ctx, thread('About samovars', 'They are hot'))
        await addComment(ctx, id, comment('And heavy'))
        await ctx.db.query(sql`update threads set hidden = ${state} where id = ${id}`)
        for (const text of ['samovar', 'hot', 'heavy', 'samovrs'])
          expect(await titles(ctx, text), text).toEqual([])
        await manyThreads(ctx, 300)
        await ctx.db.query(sql`update threads set hidden = ${state} where body like '%samovar'`)
        await ctx.db.script('analyze threads; analyze comments')
        expect(await titles(ctx, 'samovar')).toEqual([])
        expect(await all(ctx, 'biscuit')).toHaveLength(150)
      }),
  )

  test('a comment that’s held, removed or deleted isn’t found or quoted', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, thread('About samovars'))
      const held = await addComment(ctx, id, comment('The teaspoons and a samovar are mine'))
      await ctx.db.query(sql`update comments set hidden = 'held' where id = ${held.id}`)
      expect(await titles(ctx, 'teaspoon')).toEqual([])
      expect((await matchOf(ctx, 'samovar'))?.text.join('')).not.toContain('teaspoon')

      const gone = await addComment(ctx, id, comment('A samovar for my birthday'))
      await addComment(ctx, id, comment('Congratulations', gone.id))
      expect(await titles(ctx, 'birthday')).toEqual(['About samovars'])
      await deleteComment(ctx, gone.id)
      expect(await titles(ctx, 'birthday')).toEqual([])
      expect((await matchOf(ctx, 'samovar'))?.text.join('')).not.toContain('birthday')
      await ctx.db.query(sql`update comments set is_deleted = true where body = 'Congratulations'`)
      expect(await titles(ctx, 'congratulations')).toEqual([])
    }))

  test('no answer has an author key', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, thread('About samovars'))
      await addComment(ctx, id, comment('Samovars again'))
      const answer = JSON.stringify(await search(ctx, 'samovar'))
      expect(answer).not.toContain(ctx.actor.authorKey)
      expect(answer).not.toContain(ctx.actor.account?.id)
    }))
})

describe('what a result quotes', () => {
  test('a result quotes title and text in pieces, plain and matching in turn', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('Samovars and other kettles', 'Who needs a samovar? I do.'))
      expect(await matchOf(ctx, 'samovar')).toEqual({
        title: ['', 'Samovars', ' and other kettles'],
        text: ['Who needs a ', 'samovar', '? I do.'],
        isComment: false,
      })
    }))

  test('a result quotes a comment if the words are only there', () =>
    as('dana', async (ctx) => {
      const { id } = await startThread(ctx, thread('The third floor', 'Who was there?'))
      await addComment(ctx, id, comment('Nobody'))
      await addComment(ctx, id, comment('I saw a *samovar*, a samovar and a samovar'))
      await addComment(ctx, id, comment('One samovar among so many other things that are not one'))
      expect(await matchOf(ctx, 'samovar')).toEqual({
        title: ['The third floor'],
        text: ['I saw a ', 'samovar', ', a ', 'samovar', ' and a ', 'samovar', ''],
        isComment: true,
      })
    }))

  test('a result quotes some two hundred characters around the match', () =>
    as('dana', async (ctx) => {
      const words = 'people say all kinds of things about the place where we work '.repeat(20)
      await startThread(ctx, thread('A long story', `${words} and a samovar ${words}`))
      const { text } = (await matchOf(ctx, 'samovar')) ?? { text: [] }
      expect(text).toContain('samovar')
      expect(text[0]).toMatch(/^…/)
      expect(text.at(-1)).toMatch(/…$/)
      expect(text.join('').length).toBeGreaterThan(100)
      expect(text.join('').length).toBeLessThan(270)
    }))

  test('a result quotes plain words, whatever markdown is between them', () =>
    as('dana', async (ctx) => {
      const body =
        '# A **samovar**, [here](https://example.com/a?b=1) & `x < y`\n\n- one\n- "two" <b>three</b>'
      await startThread(ctx, thread('The third floor', body))
      await startThread(ctx, thread('Forged \ue000marks\ue001', 'A \ue001teaspoon\ue000 of sugar'))
      expect((await matchOf(ctx, 'samovar'))?.text).toEqual([
        'A ',
        'samovar',
        ', here (example.com) & x < y one "two" <b>three</b>',
      ])
      expect(await matchOf(ctx, 'teaspoon')).toEqual({
        title: ['Forged marks'],
        text: ['A ', 'teaspoon', ' of sugar'],
        isComment: false,
      })
    }))

  test('a result quotes a limited excerpt even of a text without spaces', () =>
    as('dana', async (ctx) => {
      await startThread(ctx, thread('A long word', `samovar ${'x'.repeat(9_000)} and so on`))
      const { text } = (await matchOf(ctx, 'samovar')) ?? { text: [] }
      expect(text.join('').length).toBeLessThan(270)
      expect(text).toContain('samovar')
    }))
})

test('at most 256 kB of new posts wait in an index of words, because searches read them all', () =>
  as('dana', async ({ db }) => {
    const rows = await db.query<{ name: string }>(sql`
      select relname as name from pg_class join pg_am am on am.oid = relam
       where amname = 'gin' and not coalesce(reloptions && '{fastupdate=off,gin_pending_list_limit=256}', false)`)
    expect(rows).toEqual([])
  }))

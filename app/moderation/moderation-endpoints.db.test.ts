/** Who may call which endpoint of moderation, and what no answer says. */

import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { bindContract } from '#app/api/bind.server.ts'
import { decisionContract } from '#app/community/reports/decision.contract.ts'
import { reportContract } from '#app/community/reports/report.contract.ts'
import type { PostRef } from '#app/community/reports/report.ts'
import { Refusal } from '#app/platform/http/refusal.ts'
import { amount } from '#tests/support/amounts.ts'
import { bareHttp, callsOf, openPolicies } from '#tests/support/api.ts'
import { withDatabase } from '#tests/support/database.ts'
import { decisionHandlers, moderationHandlers, reportHandlers } from './feature.server.ts'
import { moderationContract } from './moderation.contract.ts'
import { APPEAL, refused, SPAM, sceneOn } from './moderation.fixture.ts'

const scene = sceneOn(withDatabase())

/** Each endpoint of the contract with something to ask of it. */
const ASKED = (thread: PostRef, comment: PostRef, entry: number) => ({
  'POST /api/v1/reports': { body: { ...comment, ...SPAM } },
  'GET /api/v1/removals': { query: {} },
  'GET /api/v1/my/moderation': {},
  'POST /api/v1/my/moderation/{kind}/{id}/appeal': { params: comment, body: { text: APPEAL } },
  'GET /api/v1/moderation/queue': { query: { list: 'open' } },
  'GET /api/v1/moderation/log': { query: {} },
  'POST /api/v1/moderation/log/{entry}/undo': { params: { entry } },
  'POST /api/v1/moderation/posts/{kind}/{id}/keep': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/remove': { params: comment, body: SPAM },
  'POST /api/v1/moderation/posts/{kind}/{id}/suspend': {
    params: comment,
    body: { days: 1, reason: 'spam' },
  },
  'GET /api/v1/moderation/threads/{id}/latest': { params: thread },
  'GET /api/v1/moderation/companies/{id}/latest': { params: thread },
  'GET /api/v1/moderation/templates': {},
  'POST /api/v1/moderation/templates': { body: { name: 'Spam', body: '{reason}' } },
  'PUT /api/v1/moderation/templates/{id}': { params: thread, body: { name: 'Spam', body: 'No' } },
  'DELETE /api/v1/moderation/templates/{id}': { params: thread },
  'GET /api/v1/moderation/watched-words': {},
  'POST /api/v1/moderation/watched-words': { body: { entry: 'spam.example' } },
  'POST /api/v1/moderation/watched-words/dry-run': { body: { entry: 'spam.example' } },
  'DELETE /api/v1/moderation/watched-words/{id}': { params: thread },
  'GET /api/v1/moderation/first-posts': {},
  'GET /api/v1/moderation/limits': {},
  'PUT /api/v1/moderation/limits/{name}': { params: { name: 'threads' }, body: { uses: 4 } },
  'PUT /api/v1/moderation/first-posts': { body: { posts: 1 } },
  'POST /api/v1/moderation/posts/keep': { body: { posts: [{ ...comment, seen: 0 }] } },
  'POST /api/v1/moderation/posts/remove': {
    body: { posts: [{ ...comment, seen: 0 }], reason: 'spam', note: '' },
  },
  'POST /api/v1/moderation/posts/{kind}/{id}/count-votes': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/drop-votes': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/accept-appeal': { params: comment },
  'POST /api/v1/moderation/posts/{kind}/{id}/decline-appeal': {
    params: comment,
    body: { note: 'No' },
  },
  'POST /api/v1/moderation/threads/{id}/lock': { params: thread, body: { note: '' } },
  'POST /api/v1/moderation/threads/{id}/slow': { params: thread, body: { minutes: 5 } },
  'POST /api/v1/moderation/threads/{id}/unslow': { params: thread },
  'POST /api/v1/moderation/threads/{id}/unlock': { params: thread },
  'POST /api/v1/moderation/threads/{id}/pin': { params: thread },
  'POST /api/v1/moderation/threads/{id}/unpin': { params: thread },
  'POST /api/v1/moderation/threads/{id}/move': { params: thread, body: { companyId: null } },
})
const contract = { ...reportContract, ...decisionContract, ...moderationContract }
const handlers = { ...reportHandlers, ...decisionHandlers, ...moderationHandlers }
type Key = keyof typeof contract
const ENDPOINTS = Object.keys(contract) as Key[]
const ofModerators = ENDPOINTS.filter((key) => key.includes(' /api/v1/moderation/'))

describe('who can moderate', () => {
  const call = (ctx: Ctx, key: Key, asked: object) =>
    (handlers[key] as (ctx: Ctx, asked: object) => Promise<unknown>)(ctx, asked)

  test('no answer says who wrote, who reported or whose account it is', () =>
    scene(async ({ ctx, vera, dana, erin, ada, olga, thread, comment }) => {
      const secrets = [vera, dana, erin, ada, olga]
        .flatMap(({ actor }) => [
          actor.authorKey,
          actor.account?.id,
          actor.account?.sessionId,
          actor.account?.emailSealed,
        ])
        .filter((it) => typeof it === 'string')
      const answers: unknown[] = []
      const ask = async (who: Ctx, key: Key, asked: object) => {
        const answer = await call(who, key, asked).catch((error: Refusal) => error.message)
        answers.push(answer)
        return answer as { entry?: number }
      }
      const all = (entry = 0) => ASKED(thread, comment, entry)
      for (const person of [dana, erin, ada, olga])
        await ask(person, 'POST /api/v1/reports', all()['POST /api/v1/reports'])
      const everybody = [vera, dana, erin, ada, olga]
      const look = async (people = everybody) => {
        for (const person of people)
          for (const key of ENDPOINTS.filter((key) => key.startsWith('GET ')))
            for (const list of ['open', 'appeals'])
              await ask(person, key, { params: thread, query: { list } })
      }
      await look()
      for (const key of ENDPOINTS.filter((key) => /keep|remove|suspend|threads/.test(key))) {
        const { entry } = await ask(ada, key, all()[key])
        await ask(vera, ENDPOINTS[3] as Key, all()[ENDPOINTS[3] as Key])
        await look(amount([dana, ada], everybody))
        for (const decided of ['accept-appeal', 'decline-appeal']) {
          const appeals = ENDPOINTS.find((key) => key.endsWith(decided)) as Key
          if (key.endsWith('remove')) await ask(olga, appeals, all()[appeals])
        }
        if (entry && !key.endsWith('remove'))
          await ask(olga, 'POST /api/v1/moderation/log/{entry}/undo', { params: { entry } })
      }
      await look()
      const text = JSON.stringify(answers)
      for (const secret of secrets) expect(text).not.toContain(secret)
      expect(text).not.toMatch(/anon-|@kettle|author_?key|account_?id|decided_?by/i)
      expect(text).toContain(comment.id)
      // Nor does what outlives the post and the account: the log, and what waits to be told.
      const kept = await ctx.db.query<{ text: string }>(sql`
        select before::text as text from moderation_log
        union all select payload::text from job_queue`)
      for (const secret of secrets) expect(JSON.stringify(kept)).not.toContain(secret)
    }))

  test('a visitor’s report costs a spam check, and reports are limited', () =>
    scene(async ({ vera, thread }) => {
      const call = callsOf(contract, handlers, {
        hasRateLimits: true,
        spamChecks: {
          require: async (_ctx, spamCheck) => {
            if (spamCheck !== 'done') throw new Refusal('forbidden', 'no spam check')
          },
        },
      })(vera)
      const report = (spamCheck?: string) =>
        call('POST /api/v1/reports', { body: { ...thread, ...SPAM, spamCheck } })
      await expect(report()).rejects.toMatchObject({ status: 403 })
      for (let n = 0; n < 9; n++) await report('done')
      await expect(report('done')).rejects.toEqual(refused(429))
    }))

  test('bad input is a 400 with a sentence over HTTP, and a visitor is asked to sign in', () =>
    scene(async ({ vera, ada, comment, companyId }) => {
      const app = bareHttp()
      bindContract(app, contract, handlers, {
        contextOf: async ({ authorization }) => (authorization === 'ada' ? ada : vera),
        policies: openPolicies(),
      })
      const send = async (method: string, url: string, payload?: object, authorization = 'ada') => {
        const asked = { method: method as 'POST', url, payload, headers: { authorization } }
        return (await app.inject(asked)).statusCode
      }
      const post = (path: string, payload?: object, who = 'ada') => send('POST', path, payload, who)
      const at = `/api/v1/moderation/posts/comment/${comment.id}`
      for (const [method = '', path = ''] of ofModerators.map((key) => key.split(' '))) {
        const url = path
          .replace('{kind}', 'comment')
          .replace('{id}', companyId)
          .replace('{entry}', '1')
        const posts = [{ ...comment, seen: 0 }]
        const decision = { reason: 'spam', days: 1, note: '', companyId: null }
        const texts = { uses: 4, name: 'Spam', body: 'No', entry: 'spam.example' }
        const body = path.endsWith('first-posts')
          ? { posts: 1 }
          : { posts, minutes: 5, ...decision, ...texts }
        expect(await send(method, url, method === 'GET' ? undefined : body, 'vera')).toBe(401)
      }
      expect(await post(`${at}/remove`, { reason: 'untrue' })).toBe(400)
      expect(await post(`${at}/remove`, { reason: 'spam', note: 'x'.repeat(1_001) })).toBe(400)
      expect(await post(`${at}/remove`)).toBe(400)
      expect(await post(`${at}/suspend`, { reason: 'spam', days: 2 })).toBe(400)
      expect(await post('/api/v1/moderation/posts/poll/1/keep')).toBe(400)
      expect(await post('/api/v1/moderation/log/99999999999999999999/undo')).toBe(400)
      expect(await post('/api/v1/moderation/log/x/undo')).toBe(400)
      expect(await post('/api/v1/moderation/log/9007199254740991/undo')).toBe(404)
      expect(await post('/api/v1/reports', { ...comment, reason: 'spam' }, 'vera')).toBe(403)
      expect(await post(`${at}/remove`, { reason: 'spam' })).toBe(200)
      const marker = { method: 'GET', headers: { authorization: 'ada' } } as const
      for (const list of [
        'log?after=x',
        'log?after=9999999999999999',
        'queue?after=x',
        'queue?list=x',
      ])
        expect(
          (await app.inject({ ...marker, url: `/api/v1/moderation/${list}` })).statusCode,
        ).toBe(400)
      const log = await app.inject({
        ...marker,
        url: '/api/v1/moderation/log?after=999999999999999',
      })
      expect(log.json()).toMatchObject({ entries: [{ action: 'remove', kind: 'comment' }] })
    }))
})

/** All responses to a rating's holder have one size, so the length of one says nothing about its content. */
import sql from 'sql-template-tag'
import { beforeAll, expect, test } from 'vitest'
import { NOTE_MAX } from '#app/ratings/rating.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { type Endpoints, openEndpoints } from './endpoints/endpoints.ts'
import { headersOf, settleWorld, type World } from './endpoints/world.ts'
import { withDatabase } from './support/database.ts'
import { type Holder, holderOver, keyOf, presented, removing } from './support/holders.ts'
import { aRating } from './support/raters.ts'

const { as, outside } = withDatabase()
let endpoints: Endpoints
let world: World
let dana: Holder
beforeAll(async () => {
  endpoints = await openEndpoints()
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
  // Each call would be undone.
  endpoints.use(outside())
  dana = await holderOver(async (method, url, payload) =>
    JSON.parse((await ask(method, url, payload, 'dana')).body),
  )
})

const ask = (method: string, url: string, payload?: object, who = 'nobody') =>
  endpoints.http.inject({
    method: method as 'GET',
    url,
    headers: headersOf(world.browsers[who]),
    ...(payload && { payload }),
  })

const sizes: Record<string, [status: number, bytes: number]> = {}
const measure = async (what: string, method: string, url: string, payload: object) => {
  const answer = await ask(method, url, payload)
  sizes[what] = [answer.statusCode, answer.rawPayload.byteLength]
  expect(Number(answer.headers['content-length'])).toBe(answer.rawPayload.byteLength)
  expect(answer.headers['content-encoding']).toBeUndefined()
  expect(answer.headers['cache-control']).toBe('no-store, no-transform')
  return JSON.parse(answer.body)
}

test('every answer about a rating has one length: none, stars, the longest note, held, removed, refused', async () => {
  const company = world.names.company as string
  const at = `/api/v1/companies/${company}`
  const keys = [keyOf(dana, company)]
  const find = (what: string) => measure(what, 'POST', `${at}/rating-by-key`, { keys })
  const rate = (what: string, rating: RatingInput) => {
    const { companyId: _, ...body } = presented(dana, company, rating)
    return measure(what, 'PUT', `${at}/presented-rating`, body)
  }
  expect((await find('nothing')).rating).toBeNull()
  await rate('given', aRating({ rto: 4 }))
  await find('stars')
  // What takes the most bytes in JSON.
  const note = '“\\"漢\n'.repeat(NOTE_MAX / 5).slice(0, NOTE_MAX - 1)
  const { rating } = await rate('given with a note', aRating({ rto: 4, culture: 5, note }))
  expect((await find('a note')).rating.note.length).toBeGreaterThan(NOTE_MAX - 10)
  const about = (what: string) =>
    measure(what, 'POST', `/api/v1/notes/${rating.id}/by-key`, { keys })
  expect((await about('a note that is shown')).post).toBeNull()
  await outside().query(sql`
    insert into public_ratings (id, company_id, month, rto, note, note_html)
    select id, company_id, month, rto, note, note_html from ratings where id = ${rating.id}
    on conflict do nothing`)
  await outside().query(sql`update public_ratings set note_hidden = 'held' where id = ${rating.id}`)
  expect((await about('a note that is held')).post).toMatchObject({ state: 'held' })
  await outside().query(sql`
    update public_ratings set note_hidden = 'removed', note_hidden_reason = 'spam'
     where id = ${rating.id}`)
  expect((await about('a note that is removed')).post).toMatchObject({ state: 'removed' })
  await find('a removed note')
  const text = 'It says what everybody there has seen for years.'
  await measure('an appeal', 'POST', `/api/v1/notes/${rating.id}/by-key/appeal`, { keys, text })
  await measure('another version removed', 'POST', `${at}/rating-by-key/remove`, { keys })
  await measure('removed', 'POST', `${at}/rating-by-key/remove`, removing(dana, company))
  await measure('removed twice', 'POST', `${at}/rating-by-key/remove`, removing(dana, company))
  await measure('a key that is none', 'POST', `${at}/rating-by-key`, { keys: ['no'] })
  expect(new Set(Object.values(sizes).map(([status]) => status))).toEqual(new Set([200, 400, 404]))
  expect([...new Set(Object.values(sizes).map(([, bytes]) => bytes))]).toEqual([8 * 1024])
})

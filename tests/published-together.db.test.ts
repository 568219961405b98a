/**
 * When someone rates, nothing changes in anyone else's responses: not a byte, not a header. With the next publication it
 * does, for everyone at once.
 */
import { beforeAll, describe, expect, test } from 'vitest'
import { publishRatingsOfTheDay } from '#app/ratings/publication.server.ts'
import type { RatingInput } from '#app/ratings/rating-input.ts'
import { type Endpoints, openEndpoints } from './endpoints/endpoints.ts'
import { headersOf, settleWorld, type World } from './endpoints/world.ts'
import { amount } from './support/amounts.ts'
import { NOW, withDatabase } from './support/database.ts'
import { type Holder, holderOver, presented, removing } from './support/holders.ts'
import { aRating } from './support/raters.ts'

const { as, outside } = withDatabase()
let endpoints: Endpoints
let world: World

beforeAll(async () => {
  endpoints = await openEndpoints()
  world = await settleWorld(endpoints, outside(), (name) => as(name, async ({ actor }) => actor))
  // From here on, five people's ratings are published together.
  endpoints.ratings.ratingBatch = 5
})

/** What replaces a parameter, by what comes before it. */
const NAMES: Record<string, string> = {
  companies: '{company}',
  threads: '{thread}',
  notes: '{note}',
  jobs: '{job}',
  'company-replies': '{reply}',
  'by-slug': 'erin-and-sons',
  users: '{monaHandle}',
  comments: '{comment}',
}

/** Every read-only address of ours, filled in with existing data. */
function addresses() {
  const gets = endpoints.routes.filter(({ method }) => method === 'GET')
  const filled = gets.map(({ url }) =>
    url.replace(/([\w-]+)\/:\w+/g, (_, noun) => `${noun}/${NAMES[noun] ?? '{nothing}'}`),
  )
  const lists = ['trending', 'newest', 'highest-rated', 'most-discussed', 'a-z'].map(
    (sort) => `/api/v1/companies?sort=${sort}`,
  )
  return [
    ...filled.filter((url) => !/[{]nothing[}]|[*]|\/metrics|\/healthz|\/readyz/.test(url)),
    ...lists,
    '/api/v1/companies?search=erin',
    '/api/v1/companies/suggest?text=erin',
    '/api/v1/companies/compare?refs={company},emil-works',
    '/api/v1/threads?companyId={company}',
  ].map((url) =>
    url.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(world.names[name] ?? name)),
  )
}

const ask = async (who: string, method: string, url: string, payload?: object) => {
  const answer = await endpoints.http.inject({
    method: method as 'GET',
    url,
    headers: headersOf(world.browsers[who]),
    ...(payload && { payload }),
  })
  const { date, 'x-request-id': id, ...headers } = answer.headers
  return { status: answer.statusCode, headers, text: answer.body }
}

const WHO = ['vera', 'ada', 'mona', 'erin', 'olga'].slice(0, amount(1, 5))

/** The responses that these people get everywhere. */
async function everything() {
  const told = new Map<string, string>()
  for (const who of WHO)
    for (const url of addresses())
      if (!url.endsWith('/live'))
        told.set(`${who} ${url}`, JSON.stringify(await ask(who, 'GET', url)))
  return told
}

describe('public answers', () => {
  test('no public answer reveals that someone gives, changes or removes a rating', async () => {
    const holderOf = (who: string) =>
      holderOver(async (method, path, body) =>
        JSON.parse((await ask(who, method, path, body)).text),
      )
    const [dana, ada] = [await holderOf('dana'), await holderOf('ada')]
    const before = await everything()
    const again = await everything()
    // What's sealed or random is never the same.
    const steady = [...before.keys()].filter((key) => before.get(key) === again.get(key))
    for (const part of [
      'ratings',
      'notes',
      'ratings.csv',
      'compare?',
      'highest-rated',
      'sort=a-z',
      'dashboard',
    ])
      expect(steady.filter((key) => key.includes(part))).not.toEqual([])
    expect(steady.length).toBeGreaterThan(0.9 * before.size)

    const company = world.names.company as string
    const give = (holder: Holder, rating: Partial<RatingInput>) => {
      const { companyId, ...body } = presented(holder, company, aRating(rating))
      return ask('nobody', 'PUT', `/api/v1/companies/${companyId}/presented-rating`, body)
    }
    const same = async () => {
      const now = await everything()
      return steady.filter((key) => now.get(key) !== before.get(key))
    }
    const rating: Partial<RatingInput> = {
      rto: 1,
      culture: 1,
      officeDays: 5,
      relation: 'former',
      note: 'Never on time.',
    }
    expect((await give(dana, rating)).status).toBe(200)
    expect(await same()).toEqual([])
    expect((await give(dana, { ...rating, rto: 5 })).status).toBe(200)
    expect(await same()).toEqual([])
    expect((await give(ada, { rto: 5 })).status).toBe(200)
    const removal = `/api/v1/companies/${company}/rating-by-key/remove`
    expect((await ask('nobody', 'POST', removal, removing(ada, company))).status).toBe(200)
    expect(await same()).toEqual([])
    // Not even at night, because one person is too few.
    await publishRatingsOfTheDay(
      { ...endpoints.base, db: outside(), now: () => NOW },
      endpoints.ratings,
    )
    expect(await same()).toEqual([])

    // Proves that the comparison would notice.
    const atOnce = { ...endpoints.ratings, ratingBatch: 1 }
    await publishRatingsOfTheDay({ ...endpoints.base, db: outside(), now: () => NOW }, atOnce)
    const moved = await same()
    for (const part of [
      '/ratings',
      '/notes',
      'ratings.csv',
      'compare?',
      'highest-rated',
      'sort=newest',
      'by-slug',
    ])
      expect(moved.filter((key) => key.startsWith('vera') && key.includes(part))).not.toEqual([])
  })
})

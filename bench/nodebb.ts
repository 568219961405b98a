/** The addresses of an evening on NodeBB 4, as `./nodebb setup` leaves it. */
import { popularFirst, type Random } from './data/random.ts'
import { talk } from './data/words.ts'
import { type Asked, SKEW, titleOf, wordsOf } from './forums.ts'
import { headersOf, type Sent, send } from './site.ts'

export interface NodebbFacts {
  topics: { tid: number; slug: string; mainPid: number }[]
  people: Record<string, string>[]
  admin: Record<string, string>
}

/** It has no company, no job and no view that counts. Its streams are WebSockets, which the crowd doesn't open. */
export function nodebb({ topics, people, admin }: NodebbFacts): Asked {
  const busy = popularFirst(topics.slice(0, 150), SKEW)
  const visit = (path: string): Sent => ({ path, headers: { 'accept-encoding': 'br' } })
  const member = (random: Random, path: string, method: Sent['method'] = 'GET', body?: object) => ({
    ...{ method, path, headers: { ...headersOf(), ...random.pick(people) } },
    ...(body && { body: JSON.stringify(body) }),
  })
  return {
    'popular page': (random) =>
      visit(random.chance(0.2) ? random.pick(['/', '/recent']) : `/topic/${busy(random).slug}`),
    'other page': (random) => visit(`/topic/${random.pick(topics).slug}`),
    'own part of a page': (random) => member(random, `/api/topic/${busy(random).slug}`),
    'list of discussions': (random) => visit(`/api/${random.pick(['recent', 'popular', 'top'])}`),
    comments: (random) => visit(`/api/topic/${random.pick(topics).slug}`),
    'unread news': (random) => member(random, '/api/unread/total'),
    // Guests may not search.
    'discussion search': (random) =>
      member(random, `/api/search?term=${encodeURIComponent(wordsOf(random))}&in=titlesposts`),
    vote: (random) =>
      member(random, `/api/v3/posts/${random.pick(topics).mainPid}/vote`, 'PUT', { delta: 1 }),
    comment: (random) =>
      member(random, `/api/v3/topics/${random.pick(topics).tid}`, 'POST', {
        content: talk(random, 12 + random.below(14)),
      }),
    'new thread': (random) =>
      member(random, '/api/v3/topics', 'POST', {
        ...{ cid: 1, title: titleOf(random), content: talk(random, 30) },
      }),
    moderator: () => ({ path: '/api/flags', headers: { ...headersOf(), ...admin } }),
    crawler: (random) => visit(`/topic/${random.pick(topics).slug}`),
  }
}

/** People of its own, and the topics with the most posts in the categories that a new one has. */
export async function nodebbFacts(
  url: string,
  { username, password, members }: { username: string; password: string; members: number },
): Promise<NodebbFacts> {
  const cookiesOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
  const config = async (cookie: string) => {
    const answer = await fetch(`${url}/api/config`, { headers: { cookie } })
    const { csrf_token } = (await answer.json()) as { csrf_token: string }
    return { cookie: cookie || cookiesOf(answer), 'x-csrf-token': csrf_token }
  }
  const signIn = async (username: string) => {
    const answer = await fetch(`${url}/login`, {
      method: 'POST',
      headers: { ...headersOf(), ...(await config('')) },
      body: JSON.stringify({ username, password }),
    })
    if (!answer.ok) throw new Error(`${username} can't sign in: ${await answer.text()}`)
    return config(cookiesOf(answer))
  }
  const admin = await signIn(username)
  for (const setting of [
    'postDelay',
    'newbiePostDelay',
    'initialPostDelay',
    'upvotesPerDay',
    'upvotesPerUserPerDay',
  ])
    await send(`${url}/api/v3/admin/settings/${setting}`, {
      method: 'PUT',
      headers: admin,
      body: { value: 0 },
    })
  const people: NodebbFacts['people'] = []
  for (let n = 0; n < members; n++) {
    const username = `evening-${process.pid}-${n}`
    const email = `${username}@people.example`
    await send(`${url}/api/v3/users`, { headers: admin, body: { username, password, email } })
    people.push(await signIn(username))
  }
  const topics: NodebbFacts['topics'] = []
  for (let page = 1; page <= 25; page++)
    for (const category of [1, 2, 3, 4]) {
      const path = `/api/category/${category}?sort=most_posts&page=${page}`
      const list = await send<Partial<NodebbFacts>>(url + path, { method: 'GET', headers: admin })
      for (const { tid, slug, mainPid } of list.topics ?? []) topics.push({ tid, slug, mainPid })
    }
  return { topics, people, admin }
}

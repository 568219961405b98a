/**
 * NodeBB 4, as `./nodebb setup` leaves it. It needs an administrator (`--user`, `--password`), who writes
 * everything, since others have to wait between posts, and in its settings no limit of votes a day
 * (upvotesPerDay and upvotesPerUserPerDay at 0).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { type Forum, type Person, send } from './forum.ts'

const CATEGORY = 1
/** It answers before it lets go of who posts. */
const ALREADY_POSTING = /already posting/
const A_MOMENT_MS = 50

interface Topic {
  tid: number
  /** With its number in front. */
  slug: string
  mainPid: number
}

export async function nodebb(
  site: string,
  { user, password }: { user: string; password: string },
): Promise<Forum> {
  const writer = await signIn(site, user, password)
  const topics = new Map<string, { slug: string; post: number }>()
  return {
    // Nobody votes for their own.
    async signUp(n) {
      if (n === 0) return writer
      const username = `peer-${process.pid}-${n}`
      await send(`${site}/api/v3/users`, {
        by: writer,
        json: { username, password, email: `${username}@people.example` },
      })
      return signIn(site, username, password)
    },
    postsEach: Number.POSITIVE_INFINITY,
    async startThread(by, { title, body }) {
      const { said } = await post(`${site}/api/v3/topics`, {
        by,
        json: { cid: CATEGORY, title, content: body },
      })
      const { tid, slug, mainPid } = said.response as unknown as Topic
      topics.set(String(tid), { slug, post: mainPid })
      return String(tid)
    },
    async reply(by, thread, body) {
      await post(`${site}/api/v3/topics/${thread}`, { by, json: { content: body } })
    },
    async vote(by, thread) {
      const { post } = topics.get(thread) ?? {}
      await send(`${site}/api/v3/posts/${post}/vote`, { by, method: 'PUT', json: { delta: 1 } })
    },
    pages: {
      home: '/',
      list: '/recent',
      search: (word) => `/api/search?term=${word}&in=titlesposts`,
    },
    async thread(id) {
      const { slug } = topics.get(id) ?? {}
      return { page: `/topic/${slug}`, json: [`/api/topic/${slug}`], personal: [] }
    },
  }
}

async function signIn(site: string, username: string, password: string): Promise<Person> {
  const first = await fetch(`${site}/api/config`)
  const { csrf_token } = (await first.json()) as { csrf_token: string }
  const cookie = cookiesOf(first)
  const { answer } = await send(`${site}/login`, {
    by: { cookie, 'x-csrf-token': csrf_token },
    json: { username, password },
  })
  const signedIn = cookiesOf(answer)
  const config = await fetch(`${site}/api/config`, { headers: { cookie: signedIn } })
  const { csrf_token: own } = (await config.json()) as { csrf_token: string }
  return { cookie: signedIn, 'x-csrf-token': own }
}

const cookiesOf = (answer: Response) =>
  answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')

async function post(url: string, request: Parameters<typeof send>[1]): ReturnType<typeof send> {
  try {
    return await send(url, request)
  } catch (error) {
    if (!ALREADY_POSTING.test(String(error))) throw error
    await wait(A_MOMENT_MS)
    return post(url, request)
  }
}

/** People who write as fast as they can, and remember each write that was answered with a yes. */
import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'

export interface Kept {
  /** The first load after signing up makes the profile: that is a write of its own. */
  signUps: { id: string; username: string | null; email: string }[]
  threads: { id: string; title: string; body: string; options: string[] }[]
  comments: { id: string; threadId: string; body: string }[]
  /** The last one of each voter that was answered; undefined while a later one is under way. */
  votes: Map<string, { subject: string; vote: number | undefined }>
  ratings: { id: string; stars: number }[]
  requests: { companyName: string }[]
  messages: { sending: string; message: string }[]
  /** What was sent and never answered, to be sent again: it must be there once. */
  unanswered: { path: string; headers: Record<string, string>; body: object; title: string }[]
}

export const nothingYet = (): Kept => ({
  signUps: [],
  threads: [],
  comments: [],
  votes: new Map(),
  ratings: [],
  requests: [],
  messages: [],
  unanswered: [],
})

export const PASSWORD = 'a quiet harbour 7'

export interface World {
  url: string
  companies: string[]
  /** Tokens of members who may rate, and the companies that each of them has not rated yet. */
  raters: { token: string; left: string[] }[]
  random: () => number
}

interface Answer {
  status: number
  json: Record<string, unknown>
}

export async function call(
  url: string,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const answer = await fetch(url + path, {
    method,
    headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, json: (await answer.json()) as Record<string, unknown> }
}

/** So long whoever has nothing to write to yet looks away. */
const IDLE_MS = 5

/**
 * Writes until the server is gone.
 * @param over aborted once it is
 * @returns how many answers were neither yes nor a refusal: 5xx
 */
export async function writeUntilKilled(
  world: World,
  kept: Kept,
  over: AbortSignal,
): Promise<number> {
  let failures = 0
  const pick = <Item>(items: Item[]): Item | undefined =>
    items[Math.floor(world.random() * items.length)]
  const newcomer = () => ({ 'x-anonymous-id': `anon-${randomBytes(16).toString('hex')}` })
  /** Answers undefined when it was not a yes. */
  const send = async (method: string, path: string, body: object, headers = {}) => {
    const { status, json } = await call(world.url, method, path, body, headers)
    if (status >= 500) failures += 1
    return status < 300 ? json : undefined
  }
  const post = async (path: string, body: object, title: string, headers = newcomer()) => {
    const unanswered = { path, headers, body, title }
    kept.unanswered.push(unanswered)
    const json = await send('POST', path, body, headers)
    kept.unanswered.splice(kept.unanswered.indexOf(unanswered), 1)
    return json
  }

  const acts = {
    async signUp() {
      const mark = randomBytes(6).toString('hex')
      const email = `${mark}@people.example`
      const data = { username: `U${mark}` }
      const json = await send('POST', '/auth/v1/signup', { email, password: PASSWORD, data })
      const user = json?.user as { id: string } | undefined
      if (!user) return
      const signUp: Kept['signUps'][number] = { id: user.id, username: null, email }
      kept.signUps.push(signUp)
      const headers = { authorization: `Bearer ${json?.access_token}` }
      const me = await call(world.url, 'GET', '/api/v1/me', undefined, headers)
      if (me.status === 200) signUp.username = data.username
    },
    async thread() {
      const title = `Thread ${randomUUID()}`
      const body = `It happened **here**. ${'Words and words. '.repeat(world.random() * 60)}`.trim()
      const options = world.random() < 0.5 ? ['Yes', 'No', 'Perhaps'] : []
      const json = await post(
        '/api/v1/threads',
        {
          title,
          body,
          companyId: pick(world.companies),
          topics: ['pay'],
          sending: randomUUID(),
          ...(options.length > 0 && { poll: { options, days: 3 } }),
        },
        title,
      )
      if (json) kept.threads.push({ id: json.id as string, title, body, options })
    },
    async comment() {
      const thread = pick(kept.threads)
      if (!thread) return pause(IDLE_MS)
      const body = `Comment ${randomUUID()}`
      const path = `/api/v1/threads/${thread.id}/comments`
      const json = await post(path, { body, sending: randomUUID() }, body)
      if (json) kept.comments.push({ id: json.id as string, threadId: thread.id, body })
    },
    async vote() {
      const [kind, subject] =
        world.random() < 0.5 ? ['threads', pick(kept.threads)] : ['comments', pick(kept.comments)]
      if (!subject) return pause(IDLE_MS)
      const voter = newcomer()
      for (const vote of [1, -1]) {
        const place = { subject: subject.id, vote: undefined }
        kept.votes.set(voter['x-anonymous-id'], place)
        const json = await send('PUT', `/api/v1/${kind}/${subject.id}/vote`, { vote }, voter)
        if (!json) {
          kept.votes.delete(voter['x-anonymous-id'])
          return
        }
        kept.votes.set(voter['x-anonymous-id'], { ...place, vote })
        if (world.random() < 0.7) return
      }
    },
    async rating() {
      const rater = pick(world.raters)
      const company = rater?.left.pop()
      if (!rater || !company) return pause(IDLE_MS)
      const stars = 1 + Math.floor(world.random() * 5)
      const path = `/api/v1/companies/${company}/my-rating`
      const headers = { authorization: `Bearer ${rater.token}` }
      const json = await send('PUT', path, { rto: stars, culture: stars }, headers)
      if (json) kept.ratings.push({ id: json.id as string, stars })
    },
    async request() {
      const companyName = `Missing ${randomUUID()}`
      const json = await send('POST', '/api/v1/company-requests', { companyName }, newcomer())
      if (json) kept.requests.push({ companyName })
    },
    async message() {
      const sending = randomUUID()
      const message = `Dear people, ${randomUUID()}`
      const body = { name: 'Vera', email: 'vera@people.example', message, sending }
      const json = await post('/api/v1/contact-messages', body, message)
      if (json) kept.messages.push({ sending, message })
    },
  }

  const writers = [
    acts.signUp,
    acts.thread,
    acts.thread,
    acts.comment,
    acts.comment,
    acts.comment,
    acts.vote,
    acts.vote,
    acts.rating,
    acts.request,
    acts.message,
  ]
  await Promise.all(
    writers.map(async (act) => {
      while (!over.aborted)
        // A connection that breaks means that the server is going.
        await act().catch(() => pause(IDLE_MS))
    }),
  )
  return failures
}

/** Whoever got no answer sends again; what had arrived is not written twice. */
export async function sendAgain(url: string, kept: Kept) {
  for (const { path, headers, body } of kept.unanswered)
    await call(url, 'POST', path, body, headers)
}

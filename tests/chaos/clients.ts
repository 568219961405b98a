/** People who write and read in both processes, and record every response. */
import { setTimeout as pause } from 'node:timers/promises'
import { type Holder, presented } from '../support/holders.ts'
import { aRating } from '../support/raters.ts'
import { type Book, type GivenRating, isShown, type Post } from './book.ts'
import type { Chance } from './chance.ts'
import type { Answer, Request, Send } from './sending.ts'

export const PASSWORD = 'a quiet harbour 7'

export interface World {
  book: Book
  send: Send
  /** The number of processes. */
  sites: number
  companies: { id: string; path: string }[]
  raters: { name: string; holder: Holder }[]
  /** A moderator's, if there is one. */
  moderator?: string
}

/** A request without a response, to be repeated until there is one. */
export interface OpenRequest {
  request: Request
  heard: (answer: Answer, site: number) => void
}

/** The kinds of writes that the book counts. */
export const KINDS = [
  'signUps',
  'threads',
  'comments',
  'votes',
  'ratings',
  'requests',
  'messages',
  'deleted',
] as const

const TRIES = 4
/** With more, the site would hold a new author's posts as a burst. */
const POSTS_PER_AUTHOR = 6
const MARK = /[tc]m[0-9a-f]{12}z/g
/** The other process knows within a second, so we look a moment later. */
const LOOK_ELSEWHERE_MS = 1_050

export interface Pace {
  least: number
  most: number
}

/**
 * One client: does one thing at a time until `over`.
 * @returns the requests without a response
 */
export async function runClient(
  world: World,
  { name, chance, pace, over }: { name: string; chance: Chance; pace: Pace; over: AbortSignal },
): Promise<OpenRequest[]> {
  const { book } = world
  const open: OpenRequest[] = []
  const looks = new Set<Promise<unknown>>()
  const home = chance.between(0, world.sites)
  const network = {
    'x-forwarded-for': `10.${[0, 0, 0].map(() => chance.between(1, 250)).join('.')}`,
  }
  const anySite = () => chance.between(0, world.sites)
  const newcomer = () => ({ ...network, 'x-anonymous-id': `anon-${chance.hex(32)}` })
  const bearing = (token: string) => ({ ...network, authorization: `Bearer ${token}` })

  /** Repeats the same request, in either process, until there's a response or patience ends. */
  async function insist(request: Request, heard: OpenRequest['heard'], unanswered = () => {}) {
    for (let tried = 0; tried < TRIES && !over.aborted; tried++) {
      const site = tried === 0 ? home : anySite()
      const answer = await world.send(site, request, name)
      if (answer) {
        heard(answer, site)
        return answer
      }
      unanswered()
      await pause(chance.between(100, 700))
    }
    open.push({ request, heard })
    return undefined
  }

  async function read(site: number, path: string, what = patternOf(path)) {
    const started = book.now()
    const request = { what, method: 'GET', path, headers: network, allows: [404, 410] }
    const answer = await world.send(site, request, name)
    if (!answer) return
    book.count('reads')
    // A "not found" may include the address that was requested, and an address includes the title.
    const said = answer.text.replaceAll(path, '') + (answer.headers.get('location') ?? '')
    const marks = [...new Set(said.match(MARK) ?? [])]
    book.reads.push({ site, what, started, ended: book.now(), marks })
  }

  let author = newcomer()
  let posted = 0
  const nextAuthor = () => {
    if (posted++ % POSTS_PER_AUTHOR === 0) author = newcomer()
    return author
  }
  const recent = (kind: Post['kind']) =>
    book.posts.slice(-200).filter((post) => post.kind === kind && isShown(post) && !post.isLeaving)

  async function write(post: Post, request: Request) {
    book.posts.push(post)
    await insist(
      { ...request, headers: post.author, mark: post.mark },
      ({ status, text }) => {
        post.state = status === 201 ? 'stored' : 'refused'
        if (status !== 201) return
        const { id, path } = JSON.parse(text)
        post.id = id
        post.path = path ?? post.path
        book.count(`${post.kind}s`)
      },
      () => {
        post.wasSentAgain = true
      },
    )
  }
  const newPost = (kind: Post['kind'], thread?: Post): Post => {
    const mark = `${kind[0]}m${chance.hex(12)}z`
    const words = 'Words and words. '.repeat(chance.between(1, 30)).trim()
    return {
      kind,
      mark,
      title: `It happened ${mark}`,
      body: kind === 'thread' ? `It **happened** ${mark}. ${words}` : `Comment ${mark}`,
      options: kind === 'thread' && chance.next() < 0.3 ? ['Yes', 'No', 'Perhaps'] : [],
      thread,
      author: nextAuthor(),
      id: undefined,
      path: '',
      state: 'sent',
      wasSentAgain: false,
      isLeaving: false,
      gone: undefined,
    }
  }

  /** Looks at the post in both processes, deletes or removes it, and checks that it's gone. */
  async function seeGo(post: Post, how: 'deleted' | 'removed', request: Request) {
    const thread = post.thread ?? post
    const places = [thread.path, '/discussions?sort=new', `/api/v1/threads/${thread.id}/comments`]
    for (let site = 0; site < world.sites; site++) for (const path of places) await read(site, path)
    if (post.isLeaving || !isShown(post)) return
    post.isLeaving = true
    const lookAt = async (site: number) => {
      for (const path of places) await read(site, path)
    }
    await insist({ ...request, mark: post.mark }, (_answer, site) => {
      // A refusal also shows that it's gone, along with its thread or by an attempt without a
      // response.
      post.gone ??= { at: book.now(), site, how }
      book.count(how)
      if (over.aborted) return
      const look = lookAt(site)
        .then(() => pause(LOOK_ELSEWHERE_MS))
        .then(() => Promise.all(Array.from({ length: world.sites }, (_, other) => lookAt(other))))
        .finally(() => looks.delete(look))
      looks.add(look)
    })
  }

  const acts = {
    async signUp() {
      const username = `U${chance.hex(12)}`
      const email = `${username.toLowerCase()}@people.example`
      const request = {
        what: 'POST signup',
        method: 'POST',
        path: '/auth/v1/signup',
        body: { email, password: PASSWORD, data: { username } },
        headers: network,
        // The account may exist already if the first response was lost.
        allows: [422],
      }
      const signUp = { email, username, hasProfile: false }
      let token: string | undefined
      await insist(request, ({ status, text }) => {
        book.signUps.push(signUp)
        book.count('signUps')
        if (status === 200) token = JSON.parse(text).access_token
      })
      if (!token) return
      // The first load after signing up creates the profile, which is a write of its own.
      const me = { what: 'GET me', method: 'GET', path: '/api/v1/me', headers: bearing(token) }
      await insist(me, ({ status }) => {
        signUp.hasProfile = status === 200
      })
    },
    async thread() {
      const post = newPost('thread')
      const { title, body, options } = post
      const poll = options.length > 0 && { poll: { options, days: 3 } }
      const companyId = chance.pick(world.companies)?.id
      const idempotencyKey = chance.uuid()
      await write(post, {
        what: 'POST thread',
        method: 'POST',
        path: '/api/v1/threads',
        body: { title, body, companyId, topics: ['pay'], idempotencyKey, ...poll },
      })
    },
    async comment() {
      const thread = chance.pick(recent('thread'))
      if (!thread) return acts.thread()
      const parent = chance.next() < 0.3 ? chance.pick(recent('comment')) : undefined
      const parentId = parent?.thread === thread ? parent.id : undefined
      const post = newPost('comment', thread)
      await write(post, {
        what: 'POST comment',
        method: 'POST',
        path: `/api/v1/threads/${thread.id}/comments`,
        body: { body: post.body, idempotencyKey: chance.uuid(), ...(parentId && { parentId }) },
        allows: [404, 409, 410],
      })
    },
    async vote() {
      const post = chance.pick(recent(chance.next() < 0.5 ? 'thread' : 'comment'))
      if (!post) return acts.thread()
      const voter = newcomer()
      const cast = { post, vote: 0, isOpen: true }
      book.votes.set(voter['x-anonymous-id'], cast)
      for (const vote of [1, -1, 0, 1].slice(0, chance.between(1, 5))) {
        cast.isOpen = true
        cast.vote = vote
        const request = {
          what: `PUT vote on ${post.kind}`,
          method: 'PUT',
          path: `/api/v1/${post.kind}s/${post.id}/vote`,
          body: { vote },
          headers: voter,
          allows: [404, 409, 410],
          mark: post.mark,
        }
        let wasUnanswered = false
        const answer = await insist(
          request,
          ({ status }) => {
            cast.isOpen = status !== 200
            book.count('votes')
          },
          () => {
            wasUnanswered = true
          },
        )
        // An attempt without a response may still take effect, so no other vote may follow it.
        if (answer?.status !== 200 || wasUnanswered) return
      }
    },
    async rating() {
      const rater = chance.pick(world.raters)
      const company = chance.pick(world.companies)
      if (!rater || !company) return
      const key = `${rater.name} ${company.id}`
      const given =
        book.ratings.get(key) ??
        ({ id: undefined, stars: 0, isOpen: false, isLast: false } satisfies GivenRating)
      if (given.isOpen || given.isLast) return
      book.ratings.set(key, given)
      given.isOpen = true
      given.stars = chance.between(1, 6)
      const { stars } = given
      const { companyId: _, ...body } = presented(
        rater.holder,
        company.id,
        aRating({ rto: stars as 1, culture: stars as 1 }),
      )
      await insist(
        {
          what: 'PUT rating',
          method: 'PUT',
          path: `/api/v1/companies/${company.id}/presented-rating`,
          body,
          headers: network,
        },
        ({ status, text }) => {
          if (status !== 200) return
          given.id = JSON.parse(text).id
          given.isOpen = false
          book.count('ratings')
        },
        () => {
          // The attempt may still take effect, so no other rating may follow it.
          given.isLast = true
        },
      )
    },
    async request() {
      const asked = { companyName: `Missing ${chance.uuid()}`, isAnswered: false }
      book.requests.push(asked)
      const { companyName } = asked
      // The request has no idempotency key, because no one sends it twice.
      const answer = await world.send(
        home,
        {
          what: 'POST company request',
          method: 'POST',
          path: '/api/v1/company-requests',
          body: { companyName },
          headers: newcomer(),
        },
        name,
      )
      asked.isAnswered = answer !== undefined && answer.status < 300
      if (asked.isAnswered) book.count('requests')
    },
    async message() {
      const sent = {
        idempotencyKey: chance.uuid(),
        message: `Dear people, ${chance.uuid()}`,
        isAnswered: false,
      }
      book.messages.push(sent)
      const { idempotencyKey, message } = sent
      await insist(
        {
          what: 'POST message',
          method: 'POST',
          path: '/api/v1/contact-messages',
          body: { name: 'Vera', email: 'vera@people.example', message, idempotencyKey },
          headers: newcomer(),
        },
        ({ status }) => {
          sent.isAnswered = status < 300
          book.count('messages')
        },
      )
    },
    async deletion() {
      const posts = [...recent('thread'), ...recent('comment')]
      const post = chance.pick(posts.filter(({ wasSentAgain }) => !wasSentAgain))
      if (!post) return acts.comment()
      await seeGo(post, 'deleted', {
        what: `DELETE ${post.kind}`,
        method: 'DELETE',
        path: `/api/v1/${post.kind}s/${post.id}`,
        headers: post.author,
        allows: [404],
      })
    },
    async removal() {
      const post = chance.pick([...recent('thread'), ...recent('comment')])
      if (!post || !world.moderator) return acts.comment()
      await seeGo(post, 'removed', {
        what: `POST removal of ${post.kind}`,
        method: 'POST',
        path: `/api/v1/moderation/posts/${post.kind}/${post.id}/remove`,
        body: { reason: 'spam' },
        headers: bearing(world.moderator),
        allows: [404, 409],
      })
    },
    async read() {
      const threads = book.posts.slice(-200).filter(({ kind, id }) => kind === 'thread' && id)
      const thread = chance.pick(threads)
      const company = chance.pick(world.companies)
      const places = ['/discussions', '/discussions?sort=new', '/', '/api/v1/threads?sort=new']
      places.push('/feeds/discussions.atom')
      if (company) places.push(company.path)
      if (thread)
        places.push(
          thread.path,
          thread.path,
          `/api/v1/threads/${thread.id}`,
          `/api/v1/threads/${thread.id}/comments`,
        )
      await read(anySite(), chance.pick(places) ?? '/')
    },
  }

  const weights: [keyof typeof acts, number][] = [
    ['signUp', 1],
    ['thread', 3],
    ['comment', 6],
    ['vote', 4],
    ['rating', 2],
    ['request', 1],
    ['message', 1],
    ['deletion', 2],
    ['removal', 1],
    ['read', 9],
  ]
  const deck = weights.flatMap(([act, weight]) => Array.from({ length: weight }, () => act))
  while (!over.aborted) {
    await acts[chance.pick(deck) as keyof typeof acts]()
    await pause(chance.between(pace.least, pace.most))
  }
  await Promise.all(looks)
  return open
}

/** An address without the parts that differ each time. */
const patternOf = (path: string) =>
  `GET ${path
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/, ':id')
    .replace(/(\/thread\/:id).*/, '$1')
    .replace(/^\/(companies|company)\/.*/, '/$1/:name')}`

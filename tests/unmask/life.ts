/** Lets the town live on the real site: each act is the request that a browser would send, at its hour. */
import { type Chance, chanceOf } from '../chaos/chance.ts'
import { type Ask, askerOf, Refused } from './asking.ts'
import { tokenMailedTo } from './mailed.ts'
import type { MovedSite } from './site.ts'
import { type Act, DAY_MS, type Town } from './town.ts'
import type { Truth } from './truth.ts'

const PASSWORD = 'a quiet harbour 7'
/** When everybody sleeps and what comes round once a day is done; a little later each night, so that it is due. */
const NIGHT_MS = 4 * 3_600_000
const LATER_MS = 2 * 60_000
const MAILS_MAX = 5
/** What people ask in vain, because they cannot know better. */
const IN_VAIN = /poll already|poll is closed|your own|does not exist|signed out/

/** What happened, for plants and for whoever watches the public answers. */
export interface Happening {
  act: Act
  /** The row that was written, if one of ratings, threads or comments. */
  id?: string
  accountId?: string
  company?: string
}

export interface LifeSettings {
  /** Before the first act: who lives here, and where. */
  onBegin?: (truth: Truth) => Promise<void>
  /** After each write. */
  onHappening?: (happening: Happening) => Promise<void>
  /** Before the nightly run of each day but the first, and after it. */
  onEvening?: (day: number) => Promise<void>
  onMorning?: (day: number) => Promise<void>
}

interface Browser {
  accountId: string
  token: string
  refreshToken: string
  isConfirmed: boolean
}

export async function live(town: Town, site: MovedSite, settings: LifeSettings = {}) {
  const chance = chanceOf(town.seed).fork('life')
  const ask = askerOf(site.url)
  await site.moveTo(town.startsAt)
  const listed = await ask('GET', '/api/v1/companies?limit=100&sort=newest')
  const companies = (listed.companies as { id: string }[]).map(({ id }) => id)
  if (companies.length < 8) throw new Error('The town needs companies')
  const truth: Truth = {
    people: town.people,
    companies: Array.from(
      { length: town.companies },
      (_, n) => companies[n % companies.length] ?? '',
    ),
    accounts: new Map(),
    accountWrites: new Map(),
    ratings: new Map(),
    posts: new Map(),
    ratingWrites: [],
  }
  await settings.onBegin?.(truth)
  const browsers = new Map<number, Browser>()
  const perform = performerOf({ town, truth, ask, browsers, chance, dataDir: site.dataDir })
  const refused = new Map<string, number>()
  let day = 0
  let newest: string | undefined
  for (const act of town.acts) {
    for (; Math.floor((act.at - NIGHT_MS - town.startsAt) / DAY_MS) >= day; day++)
      await sleepThrough(day)
    await site.moveTo(act.at)
    try {
      const happening = await perform(act)
      if (act.deed.kind === 'sign-up') newest = town.people[act.person as number]?.email
      if (happening) await settings.onHappening?.({ act, ...happening })
    } catch (error) {
      if (!(error instanceof Refused) || !IN_VAIN.test(error.message)) throw error
      const what = `${act.deed.kind}: ${error.message}`
      refused.set(what, (refused.get(what) ?? 0) + 1)
    }
  }
  await sleepThrough(day)
  return { truth, refused }

  async function sleepThrough(day: number) {
    const moment = town.startsAt + day * DAY_MS + NIGHT_MS + (day + 1) * LATER_MS
    // A mail that waits when everything leaps ahead is written on the next day.
    if (newest) await tokenMailedTo(site.dataDir, newest, new Set())
    newest = undefined
    await settings.onEvening?.(day)
    await site.moveTo(moment)
    await site.nightIsOver(moment)
    await settings.onMorning?.(day)
  }
}

function performerOf({
  town,
  truth,
  ask,
  browsers,
  chance,
  dataDir,
}: {
  town: Town
  truth: Truth
  ask: Ask
  browsers: Map<number, Browser>
  chance: Chance
  dataDir: string
}) {
  const threads: string[] = []
  const polls: string[] = []
  const posts: { kind: 'thread' | 'comment'; id: string }[] = []
  const notes: string[] = []
  /** People read what is new. */
  const recent = <Item>(items: Item[], draw: number) =>
    items[items.length - 1 - (draw % Math.max(1, Math.min(items.length, 40)))]

  async function headersOf({ person, visit }: Act): Promise<Record<string, string>> {
    if (person === undefined)
      return { 'x-anonymous-id': `anon-${Math.abs(visit).toString(16).padStart(32, '0')}` }
    const browser = browsers.get(person)
    if (!browser) throw new Refused(404, 'signed out')
    return { authorization: `Bearer ${browser.token}` }
  }

  async function signUp({ at }: Act, person: number) {
    const { email, username } = town.people[person] as Town['people'][number]
    const session = await ask('POST', '/auth/v1/signup', {
      email,
      password: PASSWORD,
      data: { username },
    })
    browsers.set(person, {
      accountId: session.user.id,
      token: session.access_token,
      refreshToken: session.refresh_token,
      isConfirmed: false,
    })
    truth.accounts.set(session.user.id, person)
    truth.accountWrites.set(person, at)
    // The first look at the site makes the profile.
    await ask('GET', '/api/v1/me', undefined, { authorization: `Bearer ${session.access_token}` })
    return { accountId: session.user.id as string }
  }

  async function refresh(browser: Browser) {
    const session = await ask('POST', '/auth/v1/token?grant_type=refresh_token', {
      refresh_token: browser.refreshToken,
    })
    browser.token = session.access_token
    browser.refreshToken = session.refresh_token
  }

  /** As people do it: when they are told that they must. */
  async function confirm(browser: Browser, email: string) {
    const tried = new Set<string>()
    // The mail of signing up may be days old, and gone from the outbox.
    await ask('POST', '/auth/v1/resend', { type: 'signup', email }).catch((error) => {
      if (!(error instanceof Refused)) throw error
    })
    for (;;) {
      const token = await tokenMailedTo(dataDir, email, tried)
      tried.add(token)
      try {
        const { accountId } = browser
        await ask('POST', '/auth/v1/verify', { type: 'signup', token, known_ids: accountId })
        break
      } catch (error) {
        // Over by now; or of two mails the older one: a clock that leaps makes work be done twice.
        if (!(error instanceof Refused) || tried.size > MAILS_MAX) throw error
        await ask('POST', '/auth/v1/resend', { type: 'signup', email })
      }
    }
    browser.isConfirmed = true
  }

  async function addThread(act: Act, company: string, hasPoll: boolean) {
    const words = chance.hex(8)
    const headers = await headersOf(act)
    const { id } = await ask(
      'POST',
      '/api/v1/threads',
      {
        title: `What about ${words} here`,
        body: `Somebody said ${words}. ${'It goes on like this. '.repeat(chance.between(1, 9))}`,
        companyId: company,
        topics: ['pay'],
        sending: chance.uuid(),
        ...(hasPoll && { poll: { options: ['Yes', 'No', 'Perhaps'], days: 5 } }),
      },
      headers,
    )
    threads.push(id)
    if (hasPoll) polls.push(id)
    posts.push({ kind: 'thread', id })
    const { author } = await ask('GET', `/api/v1/threads/${id}`)
    const minute = Math.floor(act.at / 60_000)
    const post = { kind: 'thread', person: act.person, thread: id, company } as const
    truth.posts.set(id, { ...post, minute, name: author.name })
    return { id }
  }

  async function addComment(act: Act, thread: string) {
    const answer = await ask(
      'POST',
      `/api/v1/threads/${thread}/comments`,
      { body: `I have seen ${chance.hex(8)} as well.`, sending: chance.uuid() },
      await headersOf(act),
    )
    posts.push({ kind: 'comment', id: answer.id })
    truth.posts.set(answer.id, {
      kind: 'comment',
      person: act.person,
      thread,
      company: truth.posts.get(thread)?.company,
      minute: Math.floor(act.at / 60_000),
      name: answer.author.name,
    })
    return { id: answer.id as string }
  }

  async function rate(act: Act, company: string) {
    const browser = browsers.get(act.person as number) as Browser
    const { email } = town.people[act.person as number] as Town['people'][number]
    if (!browser.isConfirmed) {
      await confirm(browser, email)
      truth.accountWrites.set(act.person as number, act.at)
    }
    const stars = () => (chance.next() < 0.85 ? chance.between(1, 6) : null)
    const given = { rto: chance.between(1, 6), dei: stars(), workLife: stars(), culture: stars() }
    const note = chance.next() < 0.3 ? `They say ${chance.hex(8)} of it.` : ''
    const { id } = await ask(
      'PUT',
      `/api/v1/companies/${company}/my-rating`,
      { ...given, note },
      await headersOf(act),
    )
    if (note) notes.push(id)
    truth.ratings.set(id, { person: act.person as number, company })
    const { rto, dei, workLife, culture } = given
    truth.ratingWrites.push({
      at: act.at,
      person: act.person as number,
      company,
      stars: [rto, dei, workLife, culture].join(' '),
    })
    return { id: id as string }
  }

  async function leave(act: Act) {
    const browser = browsers.get(act.person as number) as Browser
    const { email, username } = town.people[act.person as number] as Town['people'][number]
    const session = await ask('POST', '/auth/v1/token?grant_type=password', {
      email,
      password: PASSWORD,
    })
    await ask(
      'POST',
      '/api/v1/me/deletion',
      { confirmation: username, posts: 'keep' },
      { authorization: `Bearer ${session.access_token}` },
    )
    browsers.delete(act.person as number)
    truth.accounts.delete(browser.accountId)
    return { accountId: browser.accountId }
  }

  return async function perform(act: Act): Promise<Omit<Happening, 'act'> | undefined> {
    const { deed, person } = act
    if (deed.kind === 'sign-up') return signUp(act, person as number)
    const browser = person === undefined ? undefined : browsers.get(person)
    if (person !== undefined && !browser) return undefined
    const of = browser && { accountId: browser.accountId }
    if (deed.kind === 'leave') return leave(act)
    if (deed.kind === 'refresh') {
      await refresh(browser as Browser)
      return of
    }
    const put = async (path: string, body: object) => {
      await ask('PUT', path, body, await headersOf(act))
      return of
    }
    if ('company' in deed) {
      const company = truth.companies[deed.company] as string
      if (deed.kind === 'rate') return { ...(await rate(act, company)), ...of, company }
      if (deed.kind === 'follow')
        return {
          ...(await put(`/api/v1/companies/${company}/follow`, { isFollowing: true })),
          company,
        }
      if (deed.kind === 'click') {
        await ask('POST', '/api/v1/interactions', { companyId: company }, await headersOf(act))
        return { ...of, company }
      }
      return { ...(await addThread(act, company, deed.kind === 'poll-thread')), ...of, company }
    }
    if (!('draw' in deed)) return undefined
    const thread = recent(threads, deed.draw)
    if (thread === undefined) return undefined
    if (deed.kind === 'comment') return { ...(await addComment(act, thread)), ...of }
    if (deed.kind === 'save') return put(`/api/v1/threads/${thread}/saved`, { isSaved: true })
    if (deed.kind === 'mute') return put(`/api/v1/threads/${thread}/muted`, { isMuted: true })
    const poll = recent(polls, deed.draw)
    if (deed.kind === 'poll-vote')
      return poll ? put(`/api/v1/threads/${poll}/poll`, { place: deed.draw % 3 }) : undefined
    const note = recent(notes, deed.draw)
    if (deed.kind === 'helpful')
      return note ? put(`/api/v1/notes/${note}/helpful`, { isHelpful: true }) : undefined
    const post = recent(posts, deed.draw) as { kind: string; id: string }
    if (deed.kind === 'vote') return put(`/api/v1/${post.kind}s/${post.id}/vote`, { vote: 1 })
    await ask('POST', '/api/v1/reports', { ...post, reason: 'spam' }, await headersOf(act))
    return of
  }
}

/** Lets the town live on the real site: each act is the request that a browser would send, at its hour. */
import { Agent } from 'node:http'
import { paySubject } from '#app/ratings/pay/pay.ts'
import { ratingDraftOf } from '#app/ratings/rating-input.ts'
import { type Chance, chanceOf } from '../chaos/chance.ts'
import { badged, type Holder } from '../support/holders.ts'
import { aPay } from '../support/pay.ts'
import { type Ask, askerOf, Refused } from './asking.ts'
import { type Browsers, openBrowsers, STARS_IN_BROWSERS } from './browsers.ts'
import { type Colleague, colleagues, type Workplace, workplacesAmong } from './colleagues.ts'
import { holderBrowser } from './holder-browser.ts'
import { PAY_YEAR } from './keys.ts'
import { tokenMailedTo } from './mailed.ts'
import { PRESENTED } from './observed.ts'
import type { Observer, Seen } from './observer.ts'
import type { MovedSite } from './site.ts'
import { type Act, DAY_MS, type Town } from './town.ts'
import { NO_STARS, type Truth } from './truth.ts'

const PASSWORD = 'a quiet harbour 7'
/** When everyone's asleep and daily jobs run. A little later each night, so that they're due. */
const NIGHT_MS = 4 * 3_600_000
const LATER_MS = 2 * 60_000
const MAILS_MAX = 5
/** Between rating and sending it, as rated.data.ts draws it. */
const PAUSE_MS = [15_000, 120_000] as const
/**
 * The time between confirming an address and getting the credential, which quiet-issuing.data.ts picks at
 * random.
 */
const ISSUING_MS = [20_000, 5 * 60_000] as const
/** The pause between the removals a browser sends before its owner deletes their account. */
const PARTING_PAUSE_MS = [2_000, 15_000] as const
/** The share of people who confirm their address on the day they join. The others do so when they have to. */
const CONFIRMING_AT_ONCE = 0.7
/** The share of leavers who remove their ratings first. */
const TAKING_RATINGS_BACK = 0.75
/** The share of what someone with a badge rates or writes that they show it with. */
const SHOWING_BADGES = 0.5
/** The share of companies. */
const WITH_ROOM = 0.25
const ROOMS_MIN = 2
/** Smaller places have no rooms, because filling one takes most of a minute. */
const TOWN_MIN = 50
/** Refusals that people can't foresee. */
const IN_VAIN = /already voted|poll is closed|your own|doesn’t exist|signed out/

/** What happened, for planted leaks and for observers of public responses. */
export interface Happening {
  act: Act
  /** The ID of a written rating, thread or comment. */
  id?: string
  /** The account whose token came with it. */
  accountId?: string
  company?: string
  /** The person who rated, though no token came with it. */
  raterId?: string
  /** Whether a credential was issued. */
  isIssued?: boolean
}

export interface LifeSettings {
  /** All requests go through it. */
  observer?: Observer | undefined
  /** Before the first act: who lives here, and where. */
  onBegin?: (truth: Truth) => Promise<void>
  /** After each write. */
  onHappening?: (happening: Happening) => Promise<void>
  /** Before and after the nightly run of each day except the first. */
  onEvening?: (day: number) => Promise<void>
  onMorning?: (day: number) => Promise<void>
}

interface Browser {
  accountId: string
  token: string
  refreshToken: string
  isConfirmed: boolean
  holder?: Holder
  colleague?: Colleague
  /** Companies. */
  rated: Set<string>
  /** The number of the last change, by company. */
  paid: Map<string, number>
}

/** What a browser sends by itself some time later. */
interface Outgoing {
  act: Act
  /** A company, or an entry of pay. */
  about?: string
  send(): Promise<Omit<Happening, 'act'>>
}

const isRatingOfBrowser = ({ isHttp2, method, path, status }: Seen) =>
  isHttp2 && method === 'PUT' && PRESENTED.test(path) && status < 300

export async function live(town: Town, site: MovedSite, settings: LifeSettings = {}) {
  const { observer } = settings
  const chance = chanceOf(town.seed).fork('life')
  let acting: Act | undefined
  const ask = observer
    ? askerOf(
        observer.url,
        connectionsOf(() => acting),
      )
    : askerOf(site.url)
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
    holders: new Set(),
    ratings: new Map(),
    pays: new Map(),
    posts: new Map(),
    badges: new Map(),
    roomPosts: new Map(),
    ratingWrites: [],
    payWrites: [],
    refusingLists: new Set(),
  }
  await settings.onBegin?.(truth)
  const outbox: Outgoing[] = []
  const workplaces = await workplacesAmong(ask, new Set(truth.companies))
  const browsers =
    observer &&
    openBrowsers(observer, site, (person, company, id) => {
      truth.ratings.set(id, { person, company })
      const stars = [null, null, null, STARS_IN_BROWSERS].join(' ')
      truth.ratingWrites.push({ at: site.now(), person, company, stars })
    })
  const { perform, openRooms } = performerOf({
    ...{ town, truth, ask, outbox, chance, site, workplaces, browsers },
  })
  await openRooms()
  const refused = new Map<string, number>()
  let day = 0
  let newest: string | undefined
  for (const act of town.acts) {
    for (; Math.floor((act.at - NIGHT_MS - town.startsAt) / DAY_MS) >= day; day++)
      await sleepThrough(day)
    await sendUntil(act.at)
    await happen(act, () => perform(act))
    if (act.deed.kind === 'sign-up') newest = town.people[act.person as number]?.email
  }
  await sleepThrough(day)
  await browsers?.close()
  if (observer?.log.some((seen) => isRatingOfBrowser(seen) && !isInTruth(seen)))
    throw new Error('A browser sent a rating that the harness didn’t notice')
  truth.refusingLists = browsers?.refusing ?? new Set()
  return { truth, refused }

  function isInTruth({ told }: Seen) {
    return told.some((id) => truth.ratings.has(id))
  }

  async function happen(act: Act, work: () => ReturnType<typeof perform>) {
    await (browsers ?? site).moveTo(act.at)
    acting = act
    try {
      const happening = await work()
      if (happening) await settings.onHappening?.({ act, ...happening })
    } catch (error) {
      if (!(error instanceof Refused) || !IN_VAIN.test(error.message)) throw error
      const what = `${act.deed.kind}: ${error.message}`
      refused.set(what, (refused.get(what) ?? 0) + 1)
    }
  }

  async function sendUntil(moment: number) {
    for (;;) {
      const [next] = outbox.toSorted((one, other) => one.act.at - other.act.at)
      if (!next || next.act.at > moment) return
      outbox.splice(outbox.indexOf(next), 1)
      await happen(next.act, next.send)
    }
  }

  async function sleepThrough(day: number) {
    const moment = town.startsAt + day * DAY_MS + NIGHT_MS + (day + 1) * LATER_MS
    await sendUntil(moment)
    // An email that's waiting when the clock leaps is written on the next day.
    if (newest) await tokenMailedTo(site.dataDir, newest, new Set())
    newest = undefined
    await settings.onEvening?.(day)
    await (browsers ?? site).moveTo(moment)
    await site.nightIsOver(moment)
    await settings.onMorning?.(day)
  }
}

function performerOf({
  town,
  truth,
  ask,
  outbox,
  chance,
  site,
  workplaces,
  browsers: realBrowsers,
}: {
  town: Town
  truth: Truth
  ask: Ask
  outbox: Outgoing[]
  chance: Chance
  site: MovedSite
  workplaces: Map<string, Workplace>
  browsers: Browsers | undefined
}) {
  const { dataDir } = site
  const atWork = colleagues(ask, site)
  const showing = chance.fork('badges')
  const paying = chance.fork('pay')
  /** Companies. */
  const rooms = new Set<string>()
  const browsers = new Map<number, Browser>()
  const apart = holderBrowser(ask)
  const threads: string[] = []
  const polls: string[] = []
  const posts: { kind: 'thread' | 'comment'; id: string }[] = []
  const notes: string[] = []
  /** People read what's new. */
  const recent = <Item>(items: Item[], draw: number) =>
    items[items.length - 1 - (draw % Math.max(1, Math.min(items.length, 40)))]

  async function headersOf({ person, visit }: Act): Promise<Record<string, string>> {
    if (person === undefined)
      return { 'x-anonymous-id': `anon-${Math.abs(visit).toString(16).padStart(32, '0')}` }
    const browser = browsers.get(person)
    if (!browser) throw new Refused(404, 'signed out')
    return { authorization: `Bearer ${browser.token}` }
  }

  async function signUp(act: Act, person: number) {
    const { at } = act
    const { email, username } = town.people[person] as Town['people'][number]
    const browser = await signedUp(email, username)
    const { accountId } = browser
    browsers.set(person, browser)
    truth.accounts.set(accountId, person)
    truth.accountWrites.set(person, at)
    if (town.people[person]?.isInBrowser) await confirm(browser, email)
    else if (chance.next() < CONFIRMING_AT_ONCE) {
      await confirm(browser, email)
      issueLater(act, browser, person)
    }
    return { accountId }
  }

  /** A browser requests a credential by itself, whether its person rates or not. */
  function issueLater(confirming: Act, browser: Browser, person: number) {
    const at = confirming.at + pause(ISSUING_MS)
    const act: Act = { ...confirming, at, deed: { kind: 'credential' } }
    sendLater({
      act,
      async send() {
        const isIssued = browsers.get(person) === browser && (await haveCredential(act, browser))
        return isIssued ? { accountId: browser.accountId, isIssued } : {}
      },
    })
  }

  async function signedUp(email: string, username: string): Promise<Browser> {
    const session = await ask('POST', '/auth/v1/signup', {
      email,
      password: PASSWORD,
      data: { username },
    })
    const token: string = session.access_token
    // The first request creates the profile.
    await ask('GET', '/api/v1/me', undefined, { authorization: `Bearer ${token}` })
    return {
      accountId: session.user.id,
      token,
      refreshToken: session.refresh_token,
      isConfirmed: false,
      rated: new Set(),
      paid: new Map(),
    }
  }

  /** Opens rooms for the companies where most people want a badge. */
  async function openRooms() {
    const wanting = new Map<string, number>()
    for (const { wantsBadge, employers } of town.people) {
      const company = truth.companies[employers[0] as number] as string
      if (wantsBadge) wanting.set(company, (wanting.get(company) ?? 0) + 1)
    }
    if (town.people.length < TOWN_MIN) return
    const count = Math.max(ROOMS_MIN, Math.round(town.companies * WITH_ROOM))
    const largest = [...wanting].sort(([, one], [, other]) => other - one).slice(0, count)
    const email = 'somebody@mail.example'
    const somebody = await signedUp(email, 'Somebody')
    await confirm(somebody, email)
    const headers = { authorization: `Bearer ${somebody.token}` }
    const holder = await apart.issued(headers)
    for (const [company] of largest) {
      await atWork.fill(workplaces.get(company) as Workplace, holder, headers, town.startsAt)
      rooms.add(company)
    }
  }

  /** A badge needs a secret, and a browser fetches it once. */
  async function haveBadge(act: Act, browser: Browser) {
    const { holder, colleague } = browser
    const { n, employers } = town.people[act.person as number] as Town['people'][number]
    const company = truth.companies[employers[0] as number] as string
    const place = workplaces.get(company)
    if (!holder || colleague || !place) return undefined
    const email = `staff.${n}@${place.domain}`
    browser.colleague = await atWork.hired(place, email, holder, await headersOf(act), act.at)
    truth.badges.set(browser.colleague.row, { person: n, company, at: act.at })
    return { accountId: browser.accountId, company }
  }

  async function writeInRoom({ at, person }: Act, { colleague }: Browser, draw: number) {
    const company = colleague?.place.companyId
    // The room opens on the first night.
    if (!company || !rooms.has(company) || at < town.startsAt + DAY_MS) return undefined
    const words = showing.hex(8)
    const { id, thread } = await atWork.write(colleague, at, { draw, words })
    truth.roomPosts.set(id, { person: person as number, company, thread, at })
    return { company }
  }

  /**
   * A badge to show with a rating or post.
   * @param company that it's about
   */
  function shownBy({ person }: Act, company: string | undefined) {
    const { colleague } = browsers.get(person ?? -1) ?? {}
    const isShown = colleague?.place.companyId === company && showing.next() < SHOWING_BADGES
    return isShown ? colleague : undefined
  }

  async function refresh(browser: Browser) {
    const session = await ask('POST', '/auth/v1/token?grant_type=refresh_token', {
      refresh_token: browser.refreshToken,
    })
    browser.token = session.access_token
    browser.refreshToken = session.refresh_token
  }

  async function confirm(browser: Browser, email: string) {
    const tried = new Set<string>()
    // The sign-up email may be days old, and gone from the outbox.
    await ask('POST', '/auth/v1/resend', { type: 'signup', email }).catch((error) => {
      if (!(error instanceof Refused)) throw error
    })
    for (;;) {
      const token = await tokenMailedTo(dataDir, email, tried)
      tried.add(token)
      try {
        const link = { type: 'signup', token, known_ids: browser.accountId }
        const session = await ask('POST', '/auth/v1/verify', link)
        // Opening an emailed link signs in.
        browser.token = session.access_token
        browser.refreshToken = session.refresh_token
        break
      } catch (error) {
        // Expired, or the older of two emails: a leaping clock makes jobs run twice.
        if (!(error instanceof Refused) || tried.size > MAILS_MAX) throw error
        await ask('POST', '/auth/v1/resend', { type: 'signup', email })
      }
    }
    browser.isConfirmed = true
  }

  async function addThread(act: Act, company: string, hasPoll: boolean) {
    const words = chance.hex(8)
    const headers = await headersOf(act)
    const post = {
      title: `What about ${words} here`,
      body: `Somebody said ${words}. ${'It goes on like this. '.repeat(chance.between(1, 9))}`.trim(),
      idempotencyKey: chance.uuid(),
    }
    const shown = shownBy(act, company)
    const { id } = await ask(
      'POST',
      '/api/v1/threads',
      {
        ...post,
        companyId: company,
        topics: ['pay'],
        ...(hasPoll && { poll: { options: ['Yes', 'No', 'Perhaps'], days: 5 } }),
        ...(shown && { badge: badged(shown.badge, shown.place, post) }),
      },
      headers,
    )
    threads.push(id)
    if (hasPoll) polls.push(id)
    posts.push({ kind: 'thread', id })
    const { author } = await ask('GET', `/api/v1/threads/${id}`)
    const minute = Math.floor(act.at / 60_000)
    const told = { kind: 'thread', person: act.person, thread: id, company } as const
    truth.posts.set(id, { ...told, minute, name: author.name, badge: shown?.place.companyId })
    return { id }
  }

  async function addComment(act: Act, thread: string) {
    const company = truth.posts.get(thread)?.company
    const post = {
      title: '',
      body: `I have seen ${chance.hex(8)} as well.`,
      idempotencyKey: chance.uuid(),
    }
    const { body, idempotencyKey } = post
    const shown = shownBy(act, company)
    const answer = await ask(
      'POST',
      `/api/v1/threads/${thread}/comments`,
      { body, idempotencyKey, ...(shown && { badge: badged(shown.badge, shown.place, post) }) },
      await headersOf(act),
    )
    posts.push({ kind: 'comment', id: answer.id })
    truth.posts.set(answer.id, {
      kind: 'comment',
      person: act.person,
      thread,
      company,
      minute: Math.floor(act.at / 60_000),
      name: answer.author.name,
      badge: shown?.place.companyId,
    })
    return { id: answer.id as string }
  }

  const pause = ([least, most]: readonly [number, number]) => chance.between(least, most)

  /** A newer version of the same replaces one that's still waiting. */
  function sendLater(outgoing: Outgoing) {
    const { act, about } = outgoing
    const before = outbox.findIndex((one) => one.act.person === act.person && one.about === about)
    if (before >= 0) outbox.splice(before, 1)
    outbox.push(outgoing)
  }

  /** @returns whether it was requested now */
  async function haveCredential(act: Act, browser: Browser): Promise<boolean> {
    if (browser.holder) return false
    const person = act.person as number
    if (!browser.isConfirmed)
      await confirm(browser, (town.people[person] as Town['people'][number]).email)
    const headers = await headersOf(act)
    browser.holder = await apart.issued(headers)
    truth.accountWrites.set(person, act.at)
    truth.holders.add(person)
    return true
  }

  /** Visits the site in a real browser. The last person gets their own issuer keys. */
  async function browse({ at, person }: Act) {
    const { n, email, employers } = town.people[person as number] as Town['people'][number]
    const session = await ask('POST', '/auth/v1/token?grant_type=password', {
      email,
      password: PASSWORD,
    })
    const ids = employers.map((employer) => truth.companies[employer] as string)
    const companies = await Promise.all(
      [...new Set(ids)].map(async (id) => `/${(await ask('GET', `/api/v1/companies/${id}`)).slug}`),
    )
    const hasOwnList = town.people[n + 1] === undefined
    truth.accountWrites.set(n, at)
    if (!hasOwnList) truth.holders.add(n)
    await realBrowsers?.visit({ person: n, session, companies, at, hasOwnList })
    return undefined
  }

  async function rate(act: Act, company: string) {
    const person = act.person as number
    const browser = browsers.get(person) as Browser
    const isIssued = await haveCredential(act, browser)
    const stars = () => (chance.next() < 0.85 ? chance.between(1, 6) : null)
    const given = { rto: chance.between(1, 6), dei: stars(), workLife: stars(), culture: stars() }
    const note = chance.next() < 0.3 ? `They say ${chance.hex(8)} of it.` : ''
    const at = act.at + pause(PAUSE_MS)
    const { accountId, holder } = browser
    const shown = shownBy(act, company)
    browser.rated.add(company)
    sendLater({
      act: { ...act, at },
      about: company,
      async send() {
        const id = await apart.rate(
          holder as Holder,
          company,
          ratingDraftOf({ ...given, note }),
          shown,
        )
        if (note) notes.push(id)
        truth.ratings.set(id, { person, company })
        const { rto, dei, workLife, culture } = given
        const stars = [rto, dei, workLife, culture].join(' ')
        truth.ratingWrites.push({ at, person, company, stars })
        return { id, raterId: accountId, company }
      },
    })
    return { accountId, company, isIssued }
  }

  /** Sent apart, like the rating before it. */
  async function givePay(act: Act, company: string) {
    const person = act.person as number
    const browser = browsers.get(person) as Browser
    const isIssued = await haveCredential(act, browser)
    const { holder, accountId } = browser
    const version = (browser.paid.get(company) ?? 0) + 1
    browser.paid.set(company, version)
    const at = act.at + pause(PAUSE_MS)
    const pay = aPay({ year: PAY_YEAR, base: 1_000 * paying.between(50, 150) })
    sendLater({
      act: { ...act, at },
      about: paySubject(company, PAY_YEAR),
      async send() {
        const row = await apart.givePay(holder as Holder, company, pay, version)
        truth.pays.set(row, { person, company, at })
        truth.payWrites.push({ at, person, company, stars: `${version}` })
        return { raterId: accountId, company }
      },
    })
    return { accountId, company, isIssued }
  }

  async function takeBack({ at, person }: Act, holder: Holder, company: string) {
    await apart.takeBack(holder, company).catch((error) => {
      // The rating hadn't been sent yet.
      if (!(error instanceof Refused && error.status === 404)) throw error
    })
    for (const [id, rating] of truth.ratings)
      if (rating.person === person && rating.company === company) {
        truth.ratings.delete(id)
        if (notes.includes(id)) notes.splice(notes.indexOf(id), 1)
      }
    truth.ratingWrites.push({ at, person: person as number, company, stars: NO_STARS })
    return { company }
  }

  /** The browser removes its ratings first, one after another. */
  function leave(act: Act) {
    const browser = browsers.get(act.person as number) as Browser
    browsers.delete(act.person as number)
    let { at } = act
    const { holder } = browser
    if (holder && chance.next() < TAKING_RATINGS_BACK)
      for (const company of browser.rated) {
        at += pause(PARTING_PAUSE_MS)
        const taking = { ...act, at }
        sendLater({ act: taking, about: company, send: () => takeBack(taking, holder, company) })
      }
    at += pause(PARTING_PAUSE_MS)
    sendLater({ act: { ...act, at }, send: () => deleteAccount(act, browser) })
    return undefined
  }

  async function deleteAccount({ person }: Act, { accountId }: Browser) {
    const { email, username } = town.people[person as number] as Town['people'][number]
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
    truth.accounts.delete(accountId)
    return { accountId }
  }

  return { perform, openRooms }

  async function perform(act: Act): Promise<Omit<Happening, 'act'> | undefined> {
    const { deed, person } = act
    if (deed.kind === 'sign-up') return signUp(act, person as number)
    const browser = person === undefined ? undefined : browsers.get(person)
    if (person !== undefined && !browser) return undefined
    const of = browser && { accountId: browser.accountId }
    if (deed.kind === 'leave') return leave(act)
    if (deed.kind === 'browse') return browse(act)
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
      if (deed.kind === 'rate') return rate(act, company)
      if (deed.kind === 'pay') return givePay(act, company)
      if (deed.kind === 'take-back') {
        const { holder, rated } = browser as Browser
        if (!holder || !rated.delete(company)) return undefined
        const taking = { ...act, at: act.at + pause(PAUSE_MS) }
        sendLater({ act: taking, about: company, send: () => takeBack(taking, holder, company) })
        return { ...of, company }
      }
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
    if (deed.kind === 'badge') return haveBadge(act, browser as Browser)
    if (deed.kind === 'room-post') return writeInRoom(act, browser as Browser, deed.draw)
    if (!('draw' in deed)) return undefined
    const thread = recent(threads, deed.draw)
    if (thread === undefined) return undefined
    if (deed.kind === 'comment') return { ...(await addComment(act, thread)), ...of }
    if (deed.kind === 'save') return put(`/api/v1/threads/${thread}/saved`, { isSaved: true })
    if (deed.kind === 'mute') return put(`/api/v1/threads/${thread}/muted`, { isMuted: true })
    const poll = recent(polls, deed.draw)
    if (deed.kind === 'poll-vote')
      return poll ? put(`/api/v1/threads/${poll}/poll`, { optionIndex: deed.draw % 3 }) : undefined
    const note = recent(notes, deed.draw)
    if (deed.kind === 'helpful')
      return note ? put(`/api/v1/notes/${note}/helpful`, { isHelpful: true }) : undefined
    const post = recent(posts, deed.draw) as { kind: string; id: string }
    if (deed.kind === 'vote') return put(`/api/v1/${post.kind}s/${post.id}/vote`, { vote: 1 })
    await ask('POST', '/api/v1/reports', { ...post, reason: 'spam' }, await headersOf(act))
    return of
  }
}

/** Gives each visit its own connections, as browsers do, and separate ones for requests without credentials. */
function connectionsOf(acting: () => Act | undefined) {
  const agents = new Map<number | undefined, { visit: number; pair: [Agent, Agent] }>()
  return (isAnonymous: boolean) => {
    const { person, visit = 0 } = acting() ?? {}
    const before = agents.get(person)
    if (before && before.visit !== visit) for (const agent of before.pair) agent.destroy()
    const pair: [Agent, Agent] =
      before?.visit === visit
        ? before.pair
        : [new Agent({ keepAlive: true }), new Agent({ keepAlive: true })]
    agents.set(person, { visit, pair })
    return pair[isAnonymous ? 0 : 1]
  }
}

/** An evening on one machine: more and more people, until answers take too long or are refused. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { threadPath } from '../app/community/discussions/discussion.ts'
import { companyPath } from '../app/companies/company.ts'
import type { CrowdSettings, Told, Wanted } from './crowd.ts'
import { ALONE, type KettleFacts, type Kind, MIX, memberHeaders, perMinuteOf } from './forums.ts'
import {
  busyMsOfMachine,
  cpuMsOfAll,
  type Figure,
  figure,
  latency,
  memoryMbOfAll,
  parentOf,
  quantile,
  sum,
} from './measure.ts'
import { nodebbFacts } from './nodebb.ts'
import { confirmAll, headersOf, PASSWORD, type Program, send, untilIdle } from './site.ts'
import { type Bench, type Entry, SMALL, type World } from './world.ts'

const P95_MAX_MS = 300
/** With fewer, p95 is the slowest one. */
const ENOUGH = 20
const GROWTH = 1.3
/** A few are enough, and each must sign in. */
const NODEBB_MEMBERS = 50
const FULL = {
  size: 0.05,
  members: 500,
  people: 150,
  warmUp: 5,
  seconds: 40,
  most: 1_500,
  alone: 6,
}
/** Only shows that everything works. */
const SHORT = { size: SMALL, members: 20, people: 200, warmUp: 1, seconds: 4, most: 40, alone: 1 }
const COMMENTS_EACH = 10
/** The most discussed of so many hot threads are popular. */
const HOT = 2_000
/** Threads that no one else writes in, for the moderator to lock. */
const LOCKED = 100
const METRICS_TOKEN = 'of the bench alone, and long enough'

interface Contender {
  name: string
  /** The process that began each part. */
  parts: Record<string, number>
  crowd: Awaited<ReturnType<typeof startCrowd>>
  /** Waits for the work that follows requests. */
  rest(): Promise<unknown>
}

/**
 * @param against another forum's address, with its administrator's name and password; `processes` are its server and
 * then its database
 */
export const evening = (given: {
  short?: boolean
  against?: string
  processes?: string
}): Entry => ({
  name: 'evening',
  says: 'how many people the site can serve at once, and what each costs',
  async run(bench) {
    const plan = given.short ? SHORT : FULL
    const world = await bench.world(['companies', 'threads', 'ratings', 'jobs'], plan.size, {
      commentsEach: COMMENTS_EACH,
    })
    const { client } = world
    const site = await bench.site(world, {
      ...{ RATE_LIMITS: 'on', TRUST_PROXY: '1', METRICS_TOKEN },
      ...{ ENABLE_JOBS: 'on', ENABLE_DASHBOARD: 'on' },
    })
    const facts = await kettleFacts(world, site, plan.members)
    const contenders: Contender[] = [
      {
        name: 'this site',
        parts: { site: site.pid, PostgreSQL: parentOf(await backendOf(client)) },
        crowd: await startCrowd(bench, { forum: 'kettle', url: site.url, facts, seed: bench.seed }),
        rest: () => untilIdle(client),
      },
    ]
    if (given.against) {
      const { origin: url, username, password } = new URL(given.against)
      const pids = given.processes?.split(',').map(Number) ?? []
      const facts = await nodebbFacts(url, { username, password, members: NODEBB_MEMBERS })
      contenders.push({
        name: 'NodeBB',
        parts: Object.fromEntries(pids.map((pid, n) => [n === 0 ? 'server' : 'database', pid])),
        crowd: await startCrowd(bench, { forum: 'nodebb', url, facts, seed: bench.seed }),
        rest: async () => {},
      })
    }
    await client
      .query('create extension if not exists pg_stat_statements; select pg_stat_statements_reset()')
      .catch(() => {})
    const most = await rampUp(contenders, plan)
    await printStatements(client)
    const figures = [await cachedPages(site)]
    for (const contender of contenders) {
      const step = most.get(contender)
      if (step) figures.push(...figuresOf(contender, step))
      figures.push(...(await costs(contender, plan, step?.people)))
    }
    return figures
  },
})

async function cachedPages({ url }: Program) {
  const answer = await fetch(`${url}/metrics`, { headers: headersOf(METRICS_TOKEN) })
  const found = (await answer.text()).matchAll(/^kettle_pages_total\{from="(\w+)"\} (\d+)/gm)
  const pages = Object.fromEntries([...found].map(([, from, count]) => [from, Number(count)]))
  const share = 100 * (1 - Number(pages.rendered ?? 0) / sum(Object.values(pages)))
  return figure('pages from the cache', share, '%')
}

async function startCrowd(bench: Bench, settings: CrowdSettings) {
  const child = fork(fileURLToPath(new URL('./crowd.ts', import.meta.url)))
  bench.later(() => child.kill())
  child.send({ settings })
  const crashed = once(child, 'exit').then(() => {
    throw new Error('The crowd crashed')
  })
  crashed.catch(() => {})
  return async (wanted: Wanted) => {
    child.send(wanted)
    const [told] = await Promise.race([once(child, 'message'), crashed])
    return told as Told
  }
}

interface Step extends Told {
  people: number
  seconds: number
  /** Processor time by part, and of everything else on the machine. */
  spent: Record<string, number>
  othersMs: number
  memory: Record<string, number>
}

const inParts = (parts: Record<string, number>, of: (pid: number, part: string) => number) =>
  Object.fromEntries(Object.entries(parts).map(([part, pid]) => [part, of(pid, part)]))

/** @returns a function that tells the processor time by part since then */
function watch(parts: Contender['parts']) {
  const before = inParts(parts, cpuMsOfAll)
  return () => inParts(parts, (pid, part) => cpuMsOfAll(pid) - Number(before[part]))
}

async function stepOf(
  { crowd, parts }: Contender,
  people: number,
  plan: typeof FULL,
): Promise<Step> {
  await crowd({ people, seconds: plan.warmUp })
  const spentBy = watch(parts)
  const machineBefore = busyMsOfMachine()
  const began = performance.now()
  const told = await crowd({ people, seconds: plan.seconds })
  const spent = spentBy()
  return {
    ...told,
    ...{ people, spent, seconds: (performance.now() - began) / 1000 },
    othersMs: busyMsOfMachine() - machineBefore - sum(Object.values(spent)) - told.cpuMs,
    memory: inParts(parts, memoryMbOfAll),
  }
}

const refusedIn = ({ kinds }: Told) => sum(Object.values(kinds).map(({ refused }) => refused))
const slowIn = ({ kinds }: Told) =>
  Object.entries(kinds).filter(
    ([, { times }]) => times.length >= ENOUGH && quantile(times, 0.95) > P95_MAX_MS,
  )

/** A run that only shows that everything works fails if anything doesn't. */
function requireGood({ kinds }: Pick<Told, 'kinds'>) {
  const said = Object.values(kinds).flatMap(({ said }) => said ?? [])
  if (said.length > 0) throw new Error(said.join('\n'))
}

/** In turn, each until it fails twice at the same number of people. @returns the last step that didn't */
async function rampUp(contenders: Contender[], plan: typeof FULL) {
  const last = new Map<Contender, Step>()
  let going = contenders
  for (let people = plan.people; going.length > 0; people = Math.round(people * GROWTH)) {
    const passed: Contender[] = []
    for (const contender of going)
      for (let attempt = 0; attempt < 2; attempt++) {
        const step = await stepOf(contender, people, plan)
        const refused = refusedIn(step)
        const slow = slowIn(step)
        console.error(
          `${contender.name}, ${people} people: ${slow.length + refused === 0 ? 'fine' : 'too many'}. ` +
            `${said(step)}${refused ? ` Refused: ${refused}.` : ''}`,
          ...slow.map(([kind, { times }]) => `${kind} p95 ${quantile(times, 0.95).toFixed(0)} ms;`),
          ...Object.values(step.kinds).flatMap(({ said }) => said ?? []),
        )
        if (plan === SHORT) requireGood(step)
        if (slow.length + refused > 0) continue
        last.set(contender, step)
        passed.push(contender)
        break
      }
    going = plan === SHORT ? [] : passed
  }
  return last
}

/** How busy it was, in cores. */
function said({ spent, seconds, cpuMs, othersMs, lateMs }: Step) {
  const cores = Object.entries({ ...spent, crowd: cpuMs, 'others on this machine': othersMs }).map(
    ([part, ms]) => `${part} ${(ms / seconds / 1000).toFixed(2)}`,
  )
  return `Cores: ${cores.join(', ')}. Sent late, p95 ${lateMs.toFixed(1)} ms.`
}

function figuresOf({ name, parts }: Contender, step: Step): Figure[] {
  const { people, spent, seconds, memory, cpuMs, kinds } = step
  const each = (ms: number) => (ms * 60) / seconds / people
  const perPerson = 'CPU-ms per person and minute'
  return [
    figure('people at once', people, '', { also: said(step) }),
    ...Object.keys(parts).map((part) =>
      figure(`${part}, in this mix`, each(Number(spent[part])), perPerson),
    ),
    ...Object.keys(parts).map((part) => figure(`${part}, memory`, Number(memory[part]), 'MB')),
    figure('the crowd itself', each(cpuMs), perPerson),
    ...Object.entries(kinds).flatMap(([kind, { times, odd }]) =>
      times.length === 0
        ? []
        : latency(odd ? `${kind} (${odd} other errors)` : kind, times, { max: P95_MAX_MS }),
    ),
  ].map((it) => ({ ...it, name: `${name}: ${it.name}` }))
}

/** What each kind costs alone, dearest first. Their sum is the mix's, without what requests cost each other. */
async function costs(
  { name, parts, crowd, rest }: Contender,
  plan: typeof FULL,
  people = plan.people,
) {
  const figures: Figure[] = []
  const names = Object.keys(parts)
  for (const kind of [...Object.keys(MIX), ...Object.keys(ALONE)] as Kind[]) {
    const spentBy = watch(parts)
    const { kinds } = await crowd({ only: kind, most: plan.most, seconds: plan.alone })
    await rest()
    const spent = spentBy()
    const { times = [], odd = 0, said } = kinds[kind] ?? {}
    if (plan === SHORT) requireGood({ kinds })
    if (times.length === 0) continue
    if (said) console.error(`${kind}: ${said}`)
    const often = perMinuteOf(kind, people) / people
    const each = (part: string) => Number(spent[part]) / (times.length + odd)
    figures.push(
      figure(`${name}: ${kind}`, often * sum(names.map(each)), 'CPU-ms per person and minute', {
        also: `${names.map((it) => `${it} ${(often * each(it)).toFixed(2)} (${each(it).toFixed(2)} each)`).join(', ')}`,
      }),
    )
  }
  return figures.toSorted((one, other) => other.measured - one.measured)
}

async function printStatements(client: pg.Client) {
  try {
    const { rows } = await client.query(
      `select round(total_exec_time) as ms, calls, round((total_exec_time / calls)::numeric, 2) as each,
              left(regexp_replace(query, '\\s+', ' ', 'g'), 300) as statement
         from pg_stat_statements
        where dbid = (select oid from pg_database where datname = current_database())
        order by total_exec_time desc limit 12`,
    )
    for (const { ms, calls, each, statement } of rows)
      console.error(`${ms} ms in ${calls} calls of ${each}: ${statement}`)
  } catch {
    console.error('For the dearest statements, PostgreSQL needs to preload pg_stat_statements.')
  }
}

async function backendOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query('select pg_backend_pid() as pid')
  return rows[0].pid
}

async function kettleFacts(world: World, site: Program, members: number): Promise<KettleFacts> {
  const { client } = world
  const { rows: threads } = await client.query<{ id: string; title: string }>(
    `select id, title
       from (select *, row_number() over (order by hot desc, id) as place from threads
              where hidden is null and not is_locked order by place limit 20000) hot
      order by place > ${HOT}, comments desc, id`,
  )
  const { rows: companies } = await client.query<{ id: string; slug: string; name: string }>(
    `select id, slug, name from companies join company_stats on company_id = id
      where slug ~ '^[a-z0-9-]+$' order by views desc, id limit 10000`,
  )
  const pages = (of: number) => [
    ...threads.slice(0, 3 * of).map((thread) => encodeURI(threadPath(thread))),
    ...companies.slice(0, of).map(companyPath),
  ]
  const people: { access_token: string; user: { id: string } }[] = []
  for (let n = 0; n < members + 2; n++)
    people.push(
      await send(`${site.url}/auth/v1/signup`, {
        body: { email: `evening-${process.pid}-${n}@kettle.example`, password: PASSWORD },
        headers: memberHeaders(undefined, n),
      }),
    )
  await confirmAll(client)
  const [employer, moderator, ...others] = people
  const company = companies[0]?.id ?? ''
  await client.query('insert into moderators (id) values ($1)', [moderator?.user.id])
  await client.query(
    `insert into employer_claims (account_id, company_id, status) values ($1, $2, 'approved')`,
    [employer?.user.id, company],
  )
  const open = threads.map(({ id }) => id)
  return {
    popular: ['/', '/discussions', '/companies', '/jobs', ...pages(60)],
    others: pages(10_000),
    busy: open.slice(0, 100),
    threads: open.slice(0, -LOCKED),
    companies: companies.slice(0, 2_000).map(({ id }) => id),
    names: companies.map(({ name }) => name),
    tokens: others.map(({ access_token }) => access_token),
    employer: { token: employer?.access_token ?? '', company },
    moderator: { token: moderator?.access_token ?? '', threads: open.slice(-LOCKED) },
  }
}

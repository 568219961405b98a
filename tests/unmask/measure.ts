/** One town's life, what was stolen from it, and what each attack found. */
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { type Attack, byClocks, byJoins, byTwoCopies, together } from './attacks.ts'
import { type Clock, type Evidence, readEvidence } from './evidence.ts'
import { openedWith, postsOpened } from './keys.ts'
import { live } from './life.ts'
import { type Loot, steal } from './loot.ts'
import { CONNECTIONS, observedIn } from './observed.ts'
import { observedPlants } from './observed-plants.ts'
import { openObserver, type Seen } from './observer.ts'
import { attackByPayroll, type PayrollFound } from './payroll.ts'
import { LIVE_NUMBERS, lootWith, PLANTED_TABLES, PLANTS, type Plant } from './plants.ts'
import { type Question, questionsOf, questionsWithKeys } from './questions.ts'
import { type Remote, type RemoteVerdict, watchFromAfar } from './remote.ts'
import { type MovedSite, openMovedSite } from './site.ts'
import { DAY_MS, drawTown, type Town, type TownPlan } from './town.ts'
import type { Truth } from './truth.ts'
import { ALONE, type Verdict, verdictOf } from './verdict.ts'

export interface Measured {
  size: { members: number; ratings: number; posts: number }
  verdicts: Verdict[]
  remote: RemoteVerdict[]
  /** What employers of several sizes learn from published pay. */
  payroll: PayrollFound[]
  /** What a thief finds who also has the site's key. */
  withKeys?: {
    verdicts: Verdict[]
    /** What opens by design: the share of posts whose account the key reveals. */
    postsOpened: number
  }
  /** What an operator finds who watches every request. */
  live?: {
    requests: number
    verdicts: Verdict[]
    /** Empty in a small place, where hardly two people are online at once. */
    plants: PlantFound[]
    /** A real browser refused keys that no one else gets. */
    isListRefused: boolean
  }
  /** Refusals that people couldn't foresee. */
  refused: Map<string, number>
}

export interface PlantFound {
  leak: string
  caught: boolean
  /** Whether the same attack finds nothing without it. */
  isClean: boolean
  verdict?: Verdict
}

export interface Measuring extends Omit<TownPlan, 'startsAt'> {
  /** Attacks the loot a second time, with the site's key. */
  hasKeys?: boolean
  /** Also watches the site live, with some people in real browsers. */
  isLive?: boolean
  tell?: (what: string) => void
}

/** A Monday, more than three weeks before the end of the month. */
const STARTS_AT = Date.UTC(2026, 2, 2)
/** The site opens after the night, so that the next one is a day later. */
const OPENED_BEFORE_MS = 20 * 3_600_000
/** How many people each employer has. */
const PAYROLLS = [200, 400]
/** Each browser takes about 100 MB. */
const BROWSERS_MAX = 24

async function inTown<Result>(
  { tell, isLive, ...plan }: Measuring,
  work: (site: MovedSite, town: Town) => Promise<Result>,
): Promise<Result> {
  const browsers = isLive ? Math.max(2, Math.min(BROWSERS_MAX, Math.round(plan.population / 8))) : 0
  const town = drawTown({ ...plan, browsers, startsAt: STARTS_AT })
  const site = await openMovedSite(STARTS_AT - OPENED_BEFORE_MS)
  try {
    tell?.(`${town.people.length} people begin ${town.acts.length} acts`)
    return await work(site, town)
  } finally {
    await site.close()
  }
}

/** The site as it is: what was stolen on the last evening and after its night, and seen from outside. */
export async function measure(measuring: Measuring): Promise<Measured> {
  const { tell } = measuring
  const copies = new Map<string, Loot>()
  const lived = await inTown(measuring, async (site, town) => {
    let remote: Remote | undefined
    const observer = measuring.isLive ? await openObserver(site.url, site.now) : undefined
    const { truth, refused } = await live(town, site, {
      observer,
      async onBegin(truth) {
        remote = watchFromAfar(site.url, truth)
        await remote.look()
      },
      async onHappening({ act, company }) {
        if (['rate', 'pay', 'take-back', 'leave'].includes(act.deed.kind))
          await remote?.look(company)
      },
      async onEvening(day) {
        if (day === town.days - 1) copies.set('day before', await steal(site))
        if (day === town.days) copies.set('evening', await steal(site))
      },
      async onMorning(day) {
        await remote?.look()
        if (day === town.days) copies.set('morning', await steal(site))
        tell?.(`Night ${day} is over`)
      },
    })
    const lastDay = STARTS_AT + (town.days - 1) * DAY_MS
    const { secretKey } = site
    await observer?.close()
    const log = observer?.log
    return { truth, refused, secretKey, lastDay, log, remote: remote?.found() ?? [] }
  })
  tell?.('The attacks begin')
  const { truth, refused, secretKey, lastDay, log, remote } = lived
  const { accounts, ratings, posts } = truth
  const verdicts = attackAll(copies, truth, lastDay)
  if (measuring.hasKeys) tell?.('The attacks with the key begin')
  return {
    ...{ refused, remote, verdicts },
    payroll: PAYROLLS.map((people) => attackByPayroll(people, measuring.seed)),
    size: { members: accounts.size, ratings: ratings.size, posts: posts.size },
    ...(log && { live: attackLive(log, truth) }),
    ...(measuring.hasKeys && { withKeys: attackWithKeys(secretKey, copies, truth, lastDay) }),
  }
}

/** The same town on a site with eighteen leaks. */
export const measurePlants = (measuring: Measuring): Promise<PlantFound[]> =>
  inTown(measuring, async (site, town) => {
    const papers = new Map<string, string[]>()
    let remote: Remote | undefined
    let loot: Loot | undefined
    let begun: Truth | undefined
    const secrets = createSecrets(site.secretKey)
    await site.plant(PLANTED_TABLES)
    const { truth } = await live(town, site, {
      async onBegin(truth) {
        begun = truth
        remote = watchFromAfar(site.url, truth, liveNumbers(site))
        await remote.look()
      },
      async onHappening(happening) {
        const authorOf = (id: string) => begun?.posts.get(id)?.person
        for (const { leak, statements, paper } of PLANTS) {
          const text = statements?.(happening, { authorOf, secrets })
          if (text) await site.plant(text)
          const line = paper?.(happening, town)
          if (line) papers.set(leak, [...(papers.get(leak) ?? []), line])
        }
        if (happening.act.deed.kind === 'rate' && happening.id)
          await remote?.look(happening.company)
      },
      async onEvening(day) {
        if (day === town.days) loot = await steal(site, false)
      },
    })
    const seen = remote?.found().find(({ surface }) => surface === LIVE_NUMBERS)
    return [
      ...plantsFound(loot as Loot, papers, truth, {
        secretKey: site.secretKey,
        lastDay: STARTS_AT + (town.days - 1) * DAY_MS,
      }),
      { leak: LIVE_NUMBERS, isClean: true, caught: seen?.passes === false },
    ]
  })

/** What a page would show if it counted on every request. */
const liveNumbers = (site: MovedSite) => ({
  [LIVE_NUMBERS]: (company: string) =>
    site.steal(async (ask) =>
      JSON.stringify(
        await ask(`select count(*), sum(rto) from ratings where company_id = '${company}'`),
      ),
    ),
})

/** Whether the clock says more than the order of transactions. */
const isMore = (mine: Clock, theirs: Clock) =>
  mine.source !== 'written' || theirs.source !== 'written'

function attackAll(copies: Map<string, Loot>, truth: Truth, lastDay: number): Verdict[] {
  const before = copies.get('day before') as Loot
  return ['evening', 'morning'].flatMap((copy) => {
    const evidence = readEvidence(copies.get(copy) as Loot, truth)
    const attacks = attacksOn(evidence, before, truth)
    return askAll(questionsAt(copy, truth, lastDay), attacks, copy)
  })
}

/** Repeats the attack on everything that the key opens or can compute. */
function attackWithKeys(
  secretKey: string,
  copies: Map<string, Loot>,
  truth: Truth,
  lastDay: number,
): Measured['withKeys'] {
  const openedOn = (copy: string, moment: number) => {
    const day = new Date(moment).toISOString().slice(0, 10)
    return openedWith(secretKey, copies.get(copy) as Loot, day)
  }
  const before = openedOn('day before', lastDay)
  const opened: Evidence[] = []
  const verdicts = ['evening', 'morning'].flatMap((copy) => {
    const evidence = readEvidence(openedOn(copy, lastDay + DAY_MS), truth)
    opened.push(evidence)
    const computed = byJoins('tags and holders computed', evidence, truth, () => false)
    const attacks = [...attacksOn(evidence, before, truth), computed]
    const questions = questionsAt(copy, truth, lastDay)
    return askAll(questionsWithKeys(questions, evidence, truth), attacks, copy)
  })
  return { verdicts, postsOpened: Math.min(...opened.map((one) => postsOpened(one, truth))) }
}

function attackLive(log: Seen[], truth: Truth): Measured['live'] {
  const { questions, attacks } = observedIn(log, truth)
  const contents = attacks.filter(({ name }) => name !== CONNECTIONS)
  const all = [...attacks, together('all but connections', contents)]
  const verdicts = questions.flatMap((question) =>
    all.map((attack) => verdictOf(question, attack, 'live')),
  )
  return {
    ...{ requests: log.length, verdicts, plants: observedPlants(log, truth) },
    isListRefused: truth.refusingLists.size > 0,
  }
}

const questionsAt = (copy: string, truth: Truth, lastDay: number) =>
  // In the evening, the ratings of that day are the ones that can be linked.
  questionsOf(truth, { lastDay, ...(copy === 'evening' && { since: lastDay }) })

const askAll = (questions: Question[], attacks: Attack[], copy: string) =>
  questions.flatMap((question) =>
    [...attacks, together('all together', attacks)].map((attack) =>
      verdictOf(question, attack, copy),
    ),
  )

const attacksOn = (evidence: Evidence, before: Loot, truth: Truth): Attack[] => [
  byClocks('order of transactions', ['order'], evidence),
  byClocks('place of rows', ['place'], evidence),
  byClocks('times and numbers kept', ['columns'], evidence, isMore),
  byClocks('dead rows', ['dead'], evidence),
  byClocks('write-ahead log', ['log'], evidence),
  byClocks('counters', ['counters'], evidence, (mine) => mine.source !== 'own'),
  byClocks('outbox and logs', ['papers'], evidence, isMore),
  byJoins('shared keys, joins', evidence, truth),
  byTwoCopies('two copies', before, evidence),
]

function plantsFound(
  loot: Loot,
  papers: Map<string, string[]>,
  truth: Truth,
  { secretKey, lastDay }: { secretKey: string; lastDay: number },
): PlantFound[] {
  const day = new Date(lastDay + DAY_MS).toISOString().slice(0, 10)
  const opened = openedWith(secretKey, loot, day)
  return PLANTS.map((plant) => {
    const questions = questionsOf(truth, plant.isOfLastDay && { since: lastDay })
    const question = questions.find(({ name }) => name === plant.question)
    if (!question) throw new Error(`Nobody asks ${plant.question}`)
    const answer = (leaking?: Plant, hasKeys = plant.needsKeys) => {
      const evidence = readEvidence(lootWith(hasKeys ? opened : loot, papers, leaking), truth)
      return verdictOf(question, plant.attack(evidence, truth), 'evening', ALONE)
    }
    const verdict = answer(plant)
    const isCaught = !verdict.passes && (!plant.needsKeys || answer(plant, false).passes)
    return { leak: plant.leak, isClean: answer().passes, caught: isCaught, verdict }
  })
}

/** One town's life on one engine, what was stolen from it, and what each attack found. */
import { byClocks, byJoins, byTwoCopies, together } from './attacks.ts'
import { type Clock, readEvidence } from './evidence.ts'
import { withKeys } from './keys.ts'
import { live } from './life.ts'
import { type Loot, steal } from './loot.ts'
import { LIVE_NUMBERS, lootWith, PLANTED_TABLES, PLANTS, type Plant } from './plants.ts'
import { questionsOf } from './questions.ts'
import { type Remote, type RemoteVerdict, watchFromAfar } from './remote.ts'
import { type Engine, type MovedSite, openMovedSite } from './site.ts'
import { DAY_MS, drawTown, type Town, type TownPlan } from './town.ts'
import type { Truth } from './truth.ts'
import { ALONE, type Verdict, verdictOf } from './verdict.ts'

export interface Measured {
  engine: Engine
  size: { members: number; ratings: number; posts: number }
  verdicts: Verdict[]
  remote: RemoteVerdict[]
  /** With the keys, too: shares found. */
  keys: { question: string; found: number }[]
  /** What people asked in vain. */
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
  engine: Engine
  tell?: (what: string) => void
}

/** A Monday; the month does not turn within three weeks. */
const STARTS_AT = Date.UTC(2026, 2, 2)
/** The site is opened when night is over, so that a day later it is night again. */
const OPENED_BEFORE_MS = 20 * 3_600_000

async function inTown<Result>(
  { engine, tell, ...plan }: Measuring,
  work: (site: MovedSite, town: Town) => Promise<Result>,
): Promise<Result> {
  const town = drawTown({ ...plan, startsAt: STARTS_AT })
  const site = await openMovedSite(engine, STARTS_AT - OPENED_BEFORE_MS)
  try {
    tell?.(`${engine}: ${town.people.length} people begin ${town.acts.length} acts`)
    return await work(site, town)
  } finally {
    await site.close()
  }
}

/** The site as it is: what was stolen on the last evening and after its night, and seen from afar. */
export async function measure(measuring: Measuring): Promise<Measured> {
  const { engine, tell } = measuring
  const copies = new Map<string, Loot>()
  const lived = await inTown(measuring, async (site, town) => {
    let remote: Remote | undefined
    const { truth, refused } = await live(town, site, {
      async onBegin(truth) {
        remote = watchFromAfar(site.url, truth)
        await remote.look()
      },
      async onHappening({ act, company }) {
        if (act.deed.kind === 'rate' || act.deed.kind === 'leave') await remote?.look(company)
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
    const keys = withKeys(site.secretKey, copies.get('evening') as Loot, truth)
    const lastDay = STARTS_AT + (town.days - 1) * DAY_MS
    return { truth, refused, keys, lastDay, remote: remote?.found() ?? [] }
  })
  tell?.('The attacks begin')
  const { truth, refused, keys, lastDay, remote } = lived
  const { accounts, ratings, posts } = truth
  return {
    ...{ engine, refused, keys, remote },
    size: { members: accounts.size, ratings: ratings.size, posts: posts.size },
    verdicts: attackAll(copies, truth, lastDay),
  }
}

/** The same town on a site with twelve leaks; on PostgreSQL, as the embedded engine lets in nobody else. */
export const measurePlants = (measuring: Omit<Measuring, 'engine'>): Promise<PlantFound[]> =>
  inTown({ ...measuring, engine: 'postgres' }, async (site, town) => {
    const papers = new Map<string, string[]>()
    let remote: Remote | undefined
    let loot: Loot | undefined
    let begun: Truth | undefined
    await site.plant(PLANTED_TABLES)
    const { truth } = await live(town, site, {
      async onBegin(truth) {
        begun = truth
        remote = watchFromAfar(site.url, truth, liveNumbers(site))
        await remote.look()
      },
      async onHappening(happening) {
        const personOf = (id: string) => begun?.posts.get(id)?.person
        for (const { leak, statements, paper } of PLANTS) {
          const text = statements?.(happening, personOf)
          if (text) await site.plant(text)
          const line = paper?.(happening, town)
          if (line) papers.set(leak, [...(papers.get(leak) ?? []), line])
        }
        if (happening.act.deed.kind === 'rate') await remote?.look(happening.company)
      },
      async onEvening(day) {
        if (day === town.days) loot = await steal(site, false)
      },
    })
    const seen = remote?.found().find(({ surface }) => surface === LIVE_NUMBERS)
    return [
      ...plantsFound(loot as Loot, papers, truth),
      { leak: LIVE_NUMBERS, isClean: true, caught: seen?.passes === false },
    ]
  })

/** What a page would show that counts at each look. */
const liveNumbers = (site: MovedSite) => ({
  [LIVE_NUMBERS]: (company: string) =>
    site.steal(async (ask) =>
      JSON.stringify(
        await ask(`select count(*), sum(rto) from ratings where company_id = '${company}'`),
      ),
    ),
})

/** Not what the order of transactions says already. */
const isMore = (mine: Clock, theirs: Clock) =>
  mine.source !== 'written' || theirs.source !== 'written'

function attackAll(copies: Map<string, Loot>, truth: Truth, lastDay: number): Verdict[] {
  const before = copies.get('day before') as Loot
  return ['evening', 'morning'].flatMap((copy) => {
    const evidence = readEvidence(copies.get(copy) as Loot, truth)
    const attacks = [
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
    return questionsOf(truth, lastDay, copy === 'evening').flatMap((question) =>
      [...attacks, together('all together', attacks)].map((attack) =>
        verdictOf(question, attack, copy),
      ),
    )
  })
}

function plantsFound(loot: Loot, papers: Map<string, string[]>, truth: Truth): PlantFound[] {
  const questions = questionsOf(truth)
  return PLANTS.map((plant) => {
    const question = questions.find(({ name }) => name === plant.question)
    if (!question) throw new Error(`Nobody asks ${plant.question}`)
    const answer = (leaking?: Plant) => {
      const evidence = readEvidence(lootWith(loot, papers, leaking), truth)
      return verdictOf(question, plant.attack(evidence, truth), 'evening', ALONE)
    }
    const verdict = answer(plant)
    return { leak: plant.leak, isClean: answer().passes, caught: !verdict.passes, verdict }
  })
}

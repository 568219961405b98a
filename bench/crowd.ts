/**
 * An evening's people, in a process of their own. Requests are sent when they're due, no matter what happens to earlier
 * ones, and take from when they were due until the last byte.
 */
import { Agent, type ClientRequest, request } from 'node:http'
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises'
import { createRandom } from './data/random.ts'
import { ALONE, type KettleFacts, type Kind, kettle, LIVE, MIX, perMinuteOf } from './forums.ts'
import { quantile } from './measure.ts'
import { type NodebbFacts, nodebb } from './nodebb.ts'

export type CrowdSettings = { url: string; seed: number } & (
  | { forum: 'kettle'; facts: KettleFacts }
  | { forum: 'nodebb'; facts: NodebbFacts }
)
/** Everything that so many people do, or one kind of request from four callers who wait. */
export type Wanted = { seconds: number } & ({ people: number } | { only: Kind; most: number })

export interface Told {
  /** By kind, and "news": from when a comment was due until its thread's readers hear of it. */
  kinds: Record<string, Answers>
  /** How late requests were sent, which is the crowd's own fault or the machine's. */
  lateMs: number
  cpuMs: number
}
interface Answers {
  times: number[]
  /** 429 and 5xx, or no answer. */
  refused: number
  /** Other errors, and what the first of all of them said. */
  odd: number
  said?: string
}

const CALLERS = 4
const PATIENCE_MS = 10_000
const agent = new Agent({ keepAlive: true, maxSockets: 512, maxFreeSockets: 512 })

function crowdOf({ url, seed, ...of }: CrowdSettings) {
  const asked = of.forum === 'kettle' ? kettle(of.facts) : nodebb(of.facts)
  const random = createRandom(seed, 'evening')
  const kinds = ([...Object.keys(MIX), ...Object.keys(ALONE)] as Kind[]).filter((it) => asked[it])
  const streams: ClientRequest[] = []
  const commented = new Map<string, number>()
  let answers: Told['kinds'] = {}
  const answersTo = (kind: string) => {
    answers[kind] ??= { times: [], refused: 0, odd: 0 }
    return answers[kind]
  }

  /** Waits for the whole answer, or for a stream's beginning. */
  function ask(kind: Kind, due: number) {
    const to = answersTo(kind)
    const sent = asked[kind]?.(random) ?? { headers: {} }
    const isStream = kind === 'live stream'
    if (sent.live && !isStream) commented.set(sent.live, due)
    return new Promise<void>((resolve) => {
      let isOver = false
      const done = (status: number, said = '') => {
        if (isOver) return
        isOver = true
        if (status >= 200 && status < 400) to.times.push(performance.now() - due)
        else {
          if (status === 0 || status === 429 || status >= 500) to.refused++
          else to.odd++
          to.said ??= `${sent.method ?? 'GET'} ${sent.path}: ${status} ${said.slice(0, 200)}`
        }
        resolve()
      }
      const { method = 'GET', headers, body } = sent
      const options = { method, headers, agent: isStream ? false : agent }
      const made = request(url + sent.path, options, (response) => {
        const status = response.statusCode ?? 0
        let said = ''
        response.on('data', (piece: Buffer) => {
          if (isStream && piece.includes('data:')) hear(sent.live)
          if (status >= 400) said += piece
        })
        response.on('end', () => done(status, said))
        response.on('error', () => done(0))
        if (isStream && status === 200) {
          streams.push(made)
          made.setTimeout(0)
          done(status)
        }
      })
      made.setNoDelay(true)
      made.setTimeout(PATIENCE_MS, () => made.destroy())
      made.on('error', (error) => done(0, String(error)))
      made.end(body)
    })
  }

  function hear(thread = '') {
    const due = commented.get(thread)
    if (due !== undefined) answersTo('news').times.push(performance.now() - due)
  }
  const leave = (most: number) => {
    while (streams.length > most) streams.shift()?.destroy()
  }

  async function everything(people: number, seconds: number) {
    const readers = asked['live stream'] ? Math.round(people * LIVE) : 0
    leave(readers)
    while (streams.length < readers) {
      const before = streams.length
      const missing = Math.min(CALLERS, readers - before)
      const began = performance.now()
      await Promise.all(Array.from({ length: missing }, () => ask('live stream', began)))
      if (streams.length === before) throw new Error(answers['live stream']?.said)
    }
    answers = {}
    commented.clear()
    const began = performance.now()
    const pause = (kind: Kind) =>
      (-Math.log(1 - random.next()) * 60_000) / perMinuteOf(kind, people)
    const dues = kinds.map((kind) => ({ kind, due: began + pause(kind) }))
    const pending: Promise<void>[] = []
    const late: number[] = []
    for (;;) {
      const next = dues.reduce((first, it) => (it.due < first.due ? it : first))
      if (next.due > began + seconds * 1000) break
      const ahead = next.due - performance.now()
      await (ahead > 1 ? wait(ahead) : turn())
      late.push(Math.max(0, performance.now() - next.due))
      pending.push(ask(next.kind, next.due))
      leave(readers)
      next.due += pause(next.kind)
    }
    await Promise.all(pending)
    return quantile(late, 0.95)
  }

  async function only(kind: Kind, most: number, seconds: number) {
    answers = {}
    const until = performance.now() + seconds * 1000
    let left = asked[kind] ? most : 0
    const call = async () => {
      while (left-- > 0 && performance.now() < until) {
        await ask(kind, performance.now())
        leave(CALLERS)
      }
    }
    await Promise.all(Array.from({ length: CALLERS }, call))
    return 0
  }

  return async (wanted: Wanted): Promise<Told> => {
    const before = process.cpuUsage()
    const lateMs =
      'people' in wanted
        ? await everything(wanted.people, wanted.seconds)
        : await only(wanted.only, wanted.most, wanted.seconds)
    const { user, system } = process.cpuUsage(before)
    return { kinds: answers, lateMs, cpuMs: (user + system) / 1000 }
  }
}

let crowd: ReturnType<typeof crowdOf>
process.on('message', async (told: { settings: CrowdSettings } | Wanted) => {
  if ('settings' in told) crowd = crowdOf(told.settings)
  else process.send?.(await crowd(told))
})

/** What a live observer learns from requests that reveal nothing, and from five leaks. */
import { expect, test } from 'vitest'
import { chanceOf } from './chaos/chance.ts'
import { observedIn } from './unmask/observed.ts'
import { observedPlants } from './unmask/observed-plants.ts'
import type { Seen } from './unmask/observer.ts'
import type { Truth } from './unmask/truth.ts'
import { ALONE, verdictOf } from './unmask/verdict.ts'

const MINUTE_MS = 60_000
const chance = chanceOf(42)

/** Sixty people come to read in groups of six. Each rates a company, some seconds later. */
function evening() {
  const log: Seen[] = []
  const accounts = new Map<string, number>()
  const ratings = new Map<string, { person: number; company: string }>()
  const roomPosts = new Map<string, { person: number; company: string }>()
  const companies = Array.from({ length: 5 }, chance.uuid)
  const pass = (at: number, connection: number, what: Partial<Seen>) =>
    log.push({
      ...{ at, connection, isHttp2: false, method: 'GET', path: '/api/v1/me', status: 200 },
      ...{ up: 0, down: 900, hasBadge: false, said: ['2026-Q1'], told: [], ...what },
    })
  for (let person = 0; person < 60; person++) {
    const account = chance.uuid()
    const company = chance.pick(companies) as string
    const id = chance.uuid()
    accounts.set(account, person)
    ratings.set(id, { person, company })
    const came = Math.floor(person / 6) * 60 * MINUTE_MS + 5 * 60 * MINUTE_MS
    const issuing = { method: 'POST', path: '/api/v1/my/credential', up: 302 }
    pass(came - 4 * 60 * MINUTE_MS, -person, { ...issuing, account, said: [chance.hex(40)] })
    for (let n = 0; n < 12; n++) pass(came + chance.between(0, 15 * MINUTE_MS), person, { account })
    pass(came + chance.between(MINUTE_MS, 14 * MINUTE_MS), 1_000 + person, {
      ...{ method: 'PUT', path: `/api/v1/companies/${company}/presented-rating`, up: 900 },
      ...{ said: [company, chance.hex(43), '2026-Q1'], told: [id] },
    })
  }
  for (const { person, company } of [...ratings.values()].slice(0, 30)) {
    const id = chance.uuid()
    roomPosts.set(id, { person, company })
    const at = (5 + Math.floor(person / 6)) * 60 * MINUTE_MS + chance.between(0, 15 * MINUTE_MS)
    pass(at, 2_000 + person, {
      method: 'POST',
      path: '/api/v1/room/posts',
      status: 201,
      said: [id],
    })
  }
  const truth = { accounts, ratings, companies, pays: new Map(), posts: new Map(), roomPosts }
  return { log, truth: truth as unknown as Truth }
}

const { log, truth } = evening()

test('the observer finds no one among those online when a rating or a room’s post arrives', () => {
  const { questions, attacks } = observedIn(log, truth)
  const [question] = questions
  expect(question?.name).toBe('rating → account')
  expect(question?.targets.length).toBe(60)
  for (const attack of attacks)
    if (question)
      expect(verdictOf(question, attack, 'live', ALONE), attack.name).toMatchObject({
        passes: true,
      })
})

test('the observer sees five planted leaks, each of which is enough', () => {
  const plants = observedPlants(log, truth)
  expect(plants.length).toBe(5)
  for (const plant of plants) expect(plant).toMatchObject({ isClean: true, caught: true })
})

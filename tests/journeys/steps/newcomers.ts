/** New people: they sign up, open the link in their email, and send requests. For journeys. */
import { expect } from 'vitest'
import { DEMO_PASSWORD } from '#app/identity/accounts/demo-people.server.ts'

export interface Person {
  email: string
  password: string
}

export const demoPerson = (name: string): Person => ({
  email: `${name}@kettle.example`,
  password: DEMO_PASSWORD,
})

const sendJson = (address: string, body: object, headers: Record<string, string> = {}) =>
  fetch(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

/** @returns the new account's ID */
export async function signUp(url: string, { email, password }: Person, username?: string) {
  const data = username ? { username } : {}
  const answer = await sendJson(`${url}/auth/v1/signup`, { email, password, data })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { user: { id: string } }).user.id
}

/** Opens the link in the browser where they signed up. */
export async function openConfirmation(link: string, id: string) {
  const { origin, pathname, searchParams } = new URL(link)
  searchParams.set('known_ids', id)
  await fetch(origin + pathname, { method: 'POST', body: searchParams, redirect: 'manual' })
}

export async function tokenOf(url: string, { email, password }: Person) {
  const address = `${url}/auth/v1/token?grant_type=password`
  const answer = await sendJson(address, { email, password })
  expect(answer.status).toBe(200)
  return ((await answer.json()) as { access_token: string }).access_token
}

/** Sends requests as someone who's signed in. A refusal fails the test. */
export async function askingAs(url: string, person: Person) {
  return asking(url, { authorization: `Bearer ${await tokenOf(url, person)}` })
}

/** The same as a new visitor. */
export const askingAsVisitor = (url: string) =>
  asking(url, { 'x-anonymous-id': `anon-${crypto.randomUUID().replaceAll('-', '')}` })

const asking =
  (url: string, headers: Record<string, string>) => async (endpoint: string, body: object) => {
    const answer = await sendJson(url + endpoint, body, headers)
    const text = await answer.text()
    expect(answer.status, text).toBeLessThan(300)
    return JSON.parse(text) as { id: string }
  }

interface NewThread {
  title: string
  body: string
  companyId?: string
}

export const aThread = (thread: NewThread) => ({
  ...thread,
  topics: [],
  name: 'pseudonym',
  idempotencyKey: crypto.randomUUID(),
})

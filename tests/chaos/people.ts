/** Members who may rate, a moderator, and companies to write about. */
import { createTokens } from '#app/api/auth/tokens.server.ts'
import { companyPath } from '#app/companies/company.ts'
import type { newSigningKey } from '../support/auth-site.ts'
import { holderOver } from '../support/holders.ts'
import { PASSWORD, type World } from './clients.ts'

const RATERS = 6
const COMPANIES = 30
const PATIENCE_MS = 60_000

/** @param url of a site that runs without faults and without rate limits */
export async function settlePeople(
  url: string,
  key: Awaited<ReturnType<typeof newSigningKey>>,
  issuer = url,
): Promise<Pick<World, 'companies' | 'raters'> & { moderator: { id: string; token: string } }> {
  const service = createTokens({ keys: [key], issuer: `${issuer}/auth/v1`, lifetime: 3600 })
  const authorization = `Bearer ${service.signForService(3600)}`
  const call = async (path: string, body?: object, headers = {}) => {
    const answer = await fetch(url + path, {
      method: body ? 'POST' : 'GET',
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}`)
    // biome-ignore lint/suspicious/noExplicitAny: each caller knows what it asked for
    return (await answer.json()) as any
  }
  const member = async (name: string) => {
    const email = `${name}@people.example`
    const account = { email, password: PASSWORD, email_confirm: true }
    const { id } = await call('/auth/v1/admin/users', account, { authorization })
    const session = { email, password: PASSWORD }
    const { access_token } = await call('/auth/v1/token?grant_type=password', session)
    return { name, id: id as string, token: access_token as string }
  }
  const rater = async (name: string) => {
    const { token } = await member(name)
    const bearing = { authorization: `Bearer ${token}` }
    const holder = await holderOver((_method, path, body) => call(path, body, bearing))
    return { name, holder }
  }
  const { companies } = await call('/api/v1/companies')
  return {
    companies: companies
      .slice(0, COMPANIES)
      .map((it: { id: string; slug: string }) => ({ id: it.id, path: companyPath(it) })),
    raters: await Promise.all(Array.from({ length: RATERS }, (_, n) => rater(`rater-${n}`))),
    moderator: await member('moderator'),
  }
}

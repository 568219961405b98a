/**
 * What people do to show where they work and to talk with colleagues: they read a work email, get a badge issued for their
 * secret, and show it without signing in.
 */
import { quarterOf } from '#app/api/credential/quarter.ts'
import { ROOM_HOLDERS_MIN } from '#app/companies/badges/badge.ts'
import { domainOfWebsite } from '#app/companies/company-domain.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { dayOf } from '#app/platform/days.server.ts'
import { badgeOver, entering, type Holder, inRoom } from '../support/holders.ts'
import type { Ask } from './asking.ts'
import { badgeRow } from './keys.ts'
import { badgeCodeMailedTo } from './mailed.ts'
import type { MovedSite } from './site.ts'

type Headers = Record<string, string>

export interface Workplace {
  companyId: string
  domain: string
}

export interface Colleague {
  place: Workplace
  badge: Holder
  /** The key of the row for the confirmed address. */
  row: string
}

/**
 * Companies whose website gives their email domain.
 * @param companies IDs
 */
export async function workplacesAmong(ask: Ask, companies: Iterable<string>) {
  const places = new Map<string, Workplace>()
  for (const companyId of companies) {
    const { website } = await ask('GET', `/api/v1/companies/${companyId}`)
    const domain = domainOfWebsite(website)
    if (domain) places.set(companyId, { companyId, domain })
  }
  return places
}

export function colleagues(ask: Ask, { dataDir, secretKey }: MovedSite) {
  const secrets = createSecrets(secretKey)
  return {
    hired,
    /** One extra person reads the email of enough people for the room to open at night. */
    async fill(place: Workplace, holder: Holder, headers: Headers, now: number) {
      for (let n = 0; n < ROOM_HOLDERS_MIN; n++)
        await hired(place, `colleague.${n}@${place.domain}`, holder, headers, now)
    },
    /** Today's conversation, and one post in it: a reply, or every third time a new thread. */
    async write(
      colleague: Colleague,
      now: number,
      { draw, words }: { draw: number; words: string },
    ) {
      const { badge, place } = colleague
      const { challenge } = await ask('POST', '/api/v1/room/challenge')
      const { pass } = await ask(
        'POST',
        `/api/v1/companies/${place.companyId}/room`,
        entering(badge, place.domain, dayOf(new Date(now)), challenge),
      )
      const { threads } = await ask('POST', '/api/v1/room/threads', { pass })
      const thread: { id: string } | undefined = draw % 3 === 0 ? undefined : threads[draw % 7]
      const id = crypto.randomUUID()
      const threadId = thread?.id ?? id
      const title = thread ? null : `Between us: ${words}`
      const said = { id, threadId, title, body: `They told us ${words} on the floor.` }
      await ask('POST', '/api/v1/room/posts', inRoom(badge, pass, said))
      return { id, thread: threadId }
    },
  }

  async function hired(
    place: Workplace,
    email: string,
    holder: Holder,
    headers: Headers,
    now: number,
  ): Promise<Colleague> {
    const { companyId } = place
    const { token } = await ask('POST', '/api/v1/my/badge', { companyId, email }, headers)
    const code = await badgeCodeMailedTo(dataDir, email)
    const row = badgeRow(secrets, quarterOf(dayOf(new Date(now))), email)
    const asked = (method: string, path: string, body?: object) =>
      ask(method, path, body, body && headers)
    return {
      place,
      row,
      badge: await badgeOver(asked, holder, { token, code, domain: place.domain }),
    }
  }
}

/** The badges in this browser. Doesn't load the curve, unlike badge-issuing.data.ts. */
import { isQuarterAround, quarterOf } from '#app/api/credential/quarter.ts'
import { storedHolder, todayHere, useHolder } from '#app/identity/credentials/holder.data.ts'
import { storedValues, useStored } from '#app/kit/ui/stored-value.ts'

export interface StoredBadge {
  domain: string
  company: { id: string; name: string; path: string }
  quarter: string
  /** The badge's secret, the issuer's key, and what was issued, all in base64url. */
  m1: string
  publicKey: string
  issued: string
}

const PREFIX = 'kettle-badges:'
const storeOf = storedValues(PREFIX, badgesIn)

function badgesIn(stored: string | null): StoredBadge[] {
  try {
    const read = JSON.parse(stored ?? '[]')
    return Array.isArray(read) ? read.filter(isBadge) : []
  } catch {
    return []
  }
}

const isText = (value: unknown): value is string => typeof value === 'string'
const isBadge = (value: Partial<StoredBadge> | null) =>
  isText(value?.domain) &&
  isText(value.company?.id) &&
  isText(value.company.name) &&
  isText(value.company.path) &&
  isText(value.quarter) &&
  isText(value.m1) &&
  isText(value.publicKey) &&
  isText(value.issued)

/** Valid badges, from this quarter or the last, for the secret in this browser. */
const goodOf = (badges: StoredBadge[], m1: string | undefined, today: string) =>
  badges.filter((badge) => badge.m1 === m1 && isQuarterAround(badge.quarter, today))

/** @param sessionKey from `useSessionKey` */
export const badgesOf = (sessionKey: string): StoredBadge[] =>
  goodOf(storeOf(sessionKey).current(), storedHolder(sessionKey)?.m1, todayHere())

/** The person's valid badges, updated when another tab changes them. */
export function useBadges(sessionKey: string): StoredBadge[] {
  const badges = useStored(storeOf(sessionKey))
  const holder = useHolder(sessionKey)
  return goodOf(badges, holder?.m1, todayHere())
}

/** Two companies of one domain share a room, and a badge for either opens it. */
export function badgeFor(
  badges: StoredBadge[],
  { id, website }: { id: string; website: string | null },
) {
  const host = website && URL.canParse(website) ? new URL(website).hostname : ''
  return (
    badges.find(({ company }) => company.id === id) ??
    badges.find(({ domain }) => host === domain || host.endsWith(`.${domain}`))
  )
}

/** Replaces an older badge for the same domain. */
export const keepBadge = (sessionKey: string, badge: StoredBadge) =>
  storeOf(sessionKey).change((badges) => [
    ...badges.filter((it) => it.domain !== badge.domain),
    badge,
  ])

export const forgetBadge = (sessionKey: string, domain: string) =>
  storeOf(sessionKey).change((badges) => badges.filter((badge) => badge.domain !== domain))

export const forgetBadges = (sessionKey: string) => storeOf(sessionKey).change(() => [])

/** People can get one a quarter. */
export const isOfThisQuarter = ({ quarter }: StoredBadge) => quarter === quarterOf(todayHere())

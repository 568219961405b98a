import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { insertOwn, isOwn } from '#app/api/auth/own-rows.server.ts'
import { requirePersonRoot } from '#app/api/auth/require.server.ts'
import { sealPersonRoot } from '#app/api/auth/roots.server.ts'
import { lockCompany } from '#app/companies/company-commands.server.ts'
import { withCurrentCompany } from '#app/companies/merging/merged-companies.server.ts'
import { searchedWords } from '#app/platform/database/searched-words.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { badRequest, conflict, notFound, requireValid } from '#app/platform/http/refusal.ts'
import type { JobFilters } from '../job.ts'
import { wantedLocationKey } from '../postings/job-check.server.ts'
import { ALERT_REFUSALS, tidyWishes, wishesProblem } from './job-alert.ts'
import { ALERTS, ANY_KEY, alertKey } from './job-alert-queries.server.ts'

/** The same filters only make one alert. @throws Refusal sign-in-required, bad-request, not-found, conflict */
export async function createAlert(ctx: Ctx, filters: JobFilters) {
  const wishes = tidyWishes(filters)
  requireValid(wishesProblem(wishes))
  return withCurrentCompany(ctx.db, wishes.company, (company) =>
    createAlertOnce(ctx, { ...wishes, company }),
  )
}

const createAlertOnce = (ctx: Ctx, wanted: JobFilters) =>
  transaction(ctx, async (ctx) => {
    const { db } = ctx
    const person = requirePersonRoot(ctx)
    const { search, place, remote, type, salary, currency } = wanted
    const words = search === undefined ? [] : await wordsNeeded(ctx, search)
    const company = wanted.company && (await lockCompany(db, wanted.company)).id
    const wishes = { ...wanted, company }
    const locationKey = place === undefined ? undefined : wantedLocationKey(place)
    if (locationKey === null) throw badRequest(ALERT_REFUSALS.unknownLocation)
    const key = alertKey(person.root, wishes)
    const alert = await insertOwn<{ id: string }>(db, ALERTS, {
      root: person.root,
      key,
      insert: (ownRowKey) => sql`
        insert into job_alerts
          (key, own_row_key, person_sealed, search, company_id, place, remote_policy, employment_type, salary,
           salary_currency, place_key, keys)
        values (${key}, ${ownRowKey}, ${sealPersonRoot(ctx.secrets, key, person)}, ${search ?? null},
                ${company ?? null}, ${place ?? null}, ${remote ?? null}, ${type ?? null},
                ${salary ?? null}, ${currency ?? null}, ${locationKey ?? null},
                ${keysOf(wishes, locationKey, words)})
        on conflict do nothing returning id`,
    })
    if (!alert) throw conflict(ALERT_REFUSALS.full)
    if (alert !== 'known') return alert
    const [same] = await db.query<{ id: string }>(sql`select id from job_alerts where key = ${key}`)
    if (!same) throw notFound(ALERT_REFUSALS.notFound)
    return same
  })

/** To this person, someone else’s alert doesn't exist. @throws Refusal sign-in-required, not-found */
export async function deleteAlert(ctx: Ctx, id: string) {
  const { root } = requirePersonRoot(ctx)
  const [deleted] = await ctx.db.query(sql`
    delete from job_alerts where id = ${id} and ${isOwn(ALERTS, root)} returning id`)
  if (!deleted) throw notFound(ALERT_REFUSALS.notFound)
  return { isDeleted: true } as const
}

/** The rarest key first, so fewer jobs check an alert that can't match. */
function keysOf(
  { company, remote, type }: JobFilters,
  locationKey: string | undefined,
  words: string[],
) {
  if (company !== undefined) return [`j:${company}`]
  if (locationKey !== undefined) return [locationKey]
  if (words.length > 0) return words.map((word) => `w:${word}`)
  if (type !== undefined) return [`t:${type}`]
  return [remote === undefined ? ANY_KEY : `r:${remote}`]
}

/**
 * Lexemes of which every matching job has at least one. Empty if a matching job may have none of them, such as
 * for "-sales". @throws Refusal bad-request for a text without searchable words
 */
async function wordsNeeded(ctx: Ctx, search: string): Promise<string[]> {
  const parsed = await searchedWords(ctx, search)
  if (!parsed || parsed.isSmall) throw badRequest(ALERT_REFUSALS.noWords)
  // Quoted lexemes, joined by & and <->, with alternatives by |. "T" means any job.
  const longest = ['']
  for (const [sign, quoted] of parsed.needed.matchAll(/'((?:[^']|'')*)'|[|(]/g)) {
    if (sign === '(') return []
    const word = unquoted(quoted ?? '')
    if (sign === '|') longest.push('')
    else if (word.length > (longest.at(-1) ?? '').length) longest[longest.length - 1] = word
  }
  return longest.includes('') ? [] : longest
}

const unquoted = (word: string) => word.replaceAll("''", "'").replaceAll('\\\\', '\\')

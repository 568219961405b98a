import { domainToUnicode } from 'node:url'
import sql from 'sql-template-tag'
import { addressOf } from '#app/api/auth/addresses.server.ts'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { foldText } from '#app/kit/writing/text.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { mapRows } from '#app/platform/database/rows.server.ts'
import { type SealedColumn, sealContext } from '#app/platform/database/sealed-columns.server.ts'
import type { Secrets } from '#app/platform/database/secrets.server.ts'
import { companyPath } from '../company.ts'
import type { RequestStatus } from './company-request.ts'
import type { CompanyRequest, KnownCompany } from './request.contract.ts'
import { ANONYMOUS_REQUESTER } from './request-review.ts'

const PAGE = 50
const DUPLICATES_MAX = 3
/** How many names we compare before and after each seed. */
const NEIGHBORS = 12
/** Similarity from 0 to 1; "Acme Inc" and "Acme Ltd" have about 0.6, "Acme" and "Apex" 0.1. */
const ALIKE = 0.4

interface Row extends Omit<CompanyRequest, 'requesterEmail' | 'company' | 'duplicates'> {
  number: number
  accountId: string | null
  accountSealed: string | null
  emailSealed: string | null
  company: FoundCompany | null
}
type FoundCompany = Omit<KnownCompany, 'path'> & { slug: string | null }

/** Newest first. Pending requests come with likely duplicates. */
export async function companyRequests(
  ctx: Ctx,
  { status = null, before = null }: { status?: RequestStatus | null; before?: number | null } = {},
) {
  const rows = await ctx.db.query<Row>(sql`
    select request.id, request.number, request.company_name as "companyName",
           request.company_website as "companyWebsite", request.status, request.notify,
           to_char(request.created_on, 'YYYY-MM-DD') as "createdOn",
           account.id as "accountId", account.email_sealed as "accountSealed", request.requester_email as "emailSealed",
           case when c.id is not null then
             json_build_object('id', c.id, 'name', c.name, 'slug', c.slug, 'category', c.category,
                               'logoUrl', c.logo_url) end as company
      from company_requests request
      left join accounts account on account.id = request.requested_by
      left join companies c on c.id = request.company_id
     where (${status}::text is null or request.status = ${status}::text)
       and (${before}::bigint is null or request.number < ${before}::bigint)
     order by request.number desc limit ${PAGE + 1}`)
  const [counted] = await ctx.db.query<{ total: number }>(
    sql`select count(*) as total from company_requests`,
  )
  const page = rows.slice(0, PAGE)
  const duplicates = await likelyDuplicates(
    ctx.db,
    page.filter((request) => request.status === 'pending'),
  )
  return {
    total: counted?.total ?? 0,
    requests: mapRows(
      'company requests',
      page,
      ({ number, accountId, accountSealed, emailSealed, company, ...request }) => ({
        ...request,
        requesterEmail:
          requesterEmail(ctx.secrets, { id: request.id, accountId, accountSealed, emailSealed }) ??
          ANONYMOUS_REQUESTER,
        company: company && known(company),
        duplicates: duplicates.get(request.id) ?? [],
      }),
    ),
    next: rows.length > PAGE ? (page.at(-1)?.number ?? null) : null,
  }
}

const known = ({ slug, ...company }: FoundCompany): KnownCompany => ({
  ...company,
  path: companyPath({ id: company.id, slug }),
})

type Requested = Pick<Row, 'id' | 'companyName' | 'companyWebsite'>

/**
 * Compares trigrams, but only of names that sort near the requested one or its distinctive part, so a million companies
 * don't take longer.
 */
async function likelyDuplicates(db: Database, requests: Requested[]) {
  const wanted = requests.map(({ id, companyName, companyWebsite }) => {
    const seeds = nameSeeds(companyName, companyWebsite)
    // People may have written the domain in punycode or in Unicode.
    return { id, ...seeds, site: seeds.host && domainToUnicode(seeds.host) }
  })
  const found = new Map<string, KnownCompany[]>()
  if (wanted.length === 0) return found
  type Found = FoundCompany & { requestId: string }
  const rows = await db.query<Found>(sql`
    select wanted.id as "requestId", alike.*
      from json_to_recordset(${JSON.stringify(wanted)}::json)
           as wanted(id uuid, name text, core text, host text, site text, seeds json)
     cross join lateral (
       select id, name, slug, category, "logoUrl"
         from (
           select c.id, c.name, c.name_key, c.slug, c.category, c.logo_url as "logoUrl",
                  similarity(c.name_key, wanted.name) as by_name,
                  greatest(
                    -- Not every letter has trigrams.
                    case when c.name_key in (wanted.name, wanted.core) then 1 end,
                    case when company_site(c.website) in (wanted.host, wanted.site) then 1 end,
                    -- A longer name contains the requested one, as whole words.
                    case when strpos(' ' || c.name_key || ' ', ' ' || wanted.core || ' ') > 0
                         then 0.8 end,
                    similarity(c.name_key, wanted.core)) as likeness
             from (select distinct near.id
                     from json_array_elements_text(wanted.seeds) as seed
                    cross join lateral (
                      (select id from companies where name_key >= seed
                        order by name_key, id limit ${NEIGHBORS})
                      union all
                      (select id from companies where name_key < seed
                        order by name_key desc, id desc limit ${NEIGHBORS})) near) candidate
             join companies c on c.id = candidate.id
           -- "offset 0": computed once per row.
           offset 0) candidate
        where greatest(likeness, by_name) >= ${ALIKE}
        order by greatest(likeness, by_name) desc, by_name desc, name_key, id
        limit ${DUPLICATES_MAX}) alike`)
  for (const { requestId, ...company } of rows)
    found.set(requestId, [...(found.get(requestId) ?? []), known(company)])
  return found
}

/** The account's requests, as its data export shows them. */
export async function requestsExport({ db, actor }: Ctx) {
  const requests = await db.query<{
    companyName: string
    companyWebsite: string | null
    status: RequestStatus
    notify: boolean
    createdOn: string
  }>(sql`
    select company_name as "companyName", company_website as "companyWebsite", status, notify,
           to_char(created_on, 'YYYY-MM-DD') as "createdOn"
      from company_requests where requested_by = ${actor.account?.id ?? null}
     order by number`)
  return { companyRequests: requests }
}

export const REQUESTER_EMAIL: SealedColumn = {
  table: 'company_requests',
  column: 'requester_email',
  key: 'id',
  type: 'uuid',
}

interface Requester {
  id: string
  accountId: string | null
  accountSealed: string | null
  /** A visitor's. */
  emailSealed: string | null
}

/** The account's address or the one a visitor left, or null. */
export const requesterEmail = (
  secrets: Secrets,
  { id, accountId, accountSealed, emailSealed }: Requester,
) =>
  accountId !== null && accountSealed !== null
    ? addressOf(secrets, { id: accountId, emailSealed: accountSealed })
    : emailSealed && secrets.open(emailSealed, sealContext(REQUESTER_EMAIL, id))

/** Legal forms, which are often left out. */
const FORMS = new Set(
  `ab ag as bv co company corp corporation gmbh group holding holdings inc incorporated kg limited
   llc llp ltd nv oy plc pty sa sarl se spa srl the`.split(/\s+/),
)
/** Shorter first words are too common to compare. */
const FIRST_WORD_MIN = 4

interface NameSeeds {
  /** Folded. */
  name: string
  /** The name without legal forms, unless nothing else is left. */
  core: string
  /** The website's, without `www.`; null without one. */
  host: string | null
  /** Beginnings near which similar names sort. */
  seeds: string[]
}

export function nameSeeds(companyName: string, website: string | null): NameSeeds {
  const name = foldText(companyName)
  const words = name.split(/[^\p{L}\p{N}&.'-]+/u).filter(Boolean)
  const distinctive = words.filter((word) => !FORMS.has(word.replaceAll('.', '')))
  const core = distinctive.join(' ') || name
  const host = website === null ? null : hostOf(website)
  const [first = ''] = distinctive
  const seeds = [
    name,
    core,
    ...(first.length >= FIRST_WORD_MIN ? [first] : []),
    ...(host ? [host.split('.')[0] ?? ''] : []),
  ]
  return { name, core, host, seeds: [...new Set(seeds)].filter(Boolean) }
}

const hostOf = (website: string) =>
  URL.canParse(website) ? new URL(website).hostname.replace(/^www\./, '') : null

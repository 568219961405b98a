/**
 * A demo world with a history. The demo people represent companies, rate, reply, report and post
 * jobs, after three months of just numbers. All of it is made up.
 */
import sql from 'sql-template-tag'
import { addDemoClaim } from '#app/companies/claims/claim-commands.server.ts'
import { loadStarterCompanies } from '#app/companies/starter-companies.server.ts'
import { daysBefore, daysUpTo, weeksUpTo } from '#app/companies/tracking/day-count.ts'
import { seedDemoPeople } from '#app/identity/accounts/demo-people.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { migrate } from '#app/platform/database/migrate.server.ts'
import { createSecrets } from '#app/platform/database/secrets.server.ts'
import { createQueue } from '#app/platform/queue/queue.server.ts'
import { openInside } from '../support/database.ts'

/** Fixed, so values derived from it are the same in each walk. */
export const SECRET_KEY = 'a secret key that everybody knows: it guards nothing but pictures'

/** Companies that Erin represents. */
const ERINS = ['Lampwright Systems', 'Caixa do Vale Quieto', 'Hoshimori Ward Robotics']
/** The company that Dana has claimed. She's waiting for a decision. */
const CLAIMED = 'Pawnwick House Games'

/** Fills the empty folder `dataDir`, before the site opens it. */
export async function settleDemoWorld(dataDir: string) {
  const db = await openInside(dataDir)
  try {
    await migrate(db)
    const now = () => new Date()
    await loadStarterCompanies({ db, now }, 'demo')
    const secrets = createSecrets(SECRET_KEY)
    const { employers } = await seedDemoPeople({
      db,
      now,
      secrets,
      queue: createQueue(db),
      events: [],
    })
    for (const accountId of employers) await addDemoClaim(db, accountId)
    await settleClaims(db)
    await settleNumbers(db, now().toISOString().slice(0, 10))
  } finally {
    await db.close()
  }
}

async function settleClaims(db: Database) {
  await db.query(sql`
    insert into employer_claims (account_id, company_id, status)
    select profile.account_id, company.id, 'approved'
      from profiles profile, companies company
     where profile.username = 'Erin' and company.name = any(${ERINS}::text[])`)
  await db.query(sql`
    insert into employer_claims (account_id, company_id, claimed_on, method, domain, is_verified, note)
    select profile.account_id, company.id, current_date, 'dns', 'pawnwick-house.example', true,
           'I read the rules aloud at the fairs, and look after our web site.'
      from profiles profile, companies company
     where profile.username = 'Dana' and company.name = ${CLAIMED}`)
}

/** Visitors, clicks and sign-ups. The site itself counts threads, comments and ratings. */
async function settleNumbers(db: Database, today: string) {
  const days = daysUpTo(today)
  const rows = days.flatMap((day, i) => [
    { name: 'visitors', day, n: wave(i, 180 + 2 * i, 60) },
    { name: 'requests', day, n: Math.floor(wave(i + 3, 2, 3)) },
    { name: 'clicks', day, n: wave(i, 40 + i / 2, 18) },
  ])
  // Without weeks that may not be over.
  for (const [i, day] of weeksUpTo(daysBefore(today, 7)).entries())
    rows.push({ name: 'sign-ups', day, n: wave(i, 14 + 2 * i, 6) })
  await db.query(sql`
    insert into daily_counts (name, day, n)
    select name, day, n from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
                               as counted (name text, day date, n integer)
    on conflict do nothing`)
}

/** Around `middle`, up and down by `height` with the week and a little more. The same each time. */
const wave = (i: number, middle: number, height: number) =>
  Math.max(
    0,
    Math.round(middle + height * (0.7 * Math.sin((2 * Math.PI * i) / 7) + 0.3 * Math.sin(i * i))),
  )

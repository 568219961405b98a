/** npm run counters [-- --mend]: compares counters with their rows. */

import { dayOf } from '#app/platform/days.server.ts'
import { counterDrift, repairCounters } from './counting.server.ts'
import { runCommand } from './run-command.server.ts'
import { withSite } from './with-site.server.ts'

const USAGE = `npm run counters            lists wrong counters
npm run counters -- --mend  fixes them

It skips what can’t be recounted: views, visitors, sign-ups, and days and months that are over.

For example: npm run counters -- --mend`

/** More lines would push the first ones off the screen. */
const SHOWN_MAX = 50

function run(args: string[]) {
  if (args.some((arg) => arg !== '--mend')) return undefined
  return withSite(async ({ db }, config) => {
    const settings = {
      today: dayOf(new Date()),
      minShown: config.minShown,
    }
    const drift = await db.dedicated((db) => counterDrift(db, settings))
    if (drift.length === 0) return 'All counters are correct.'
    const lines = drift
      .slice(0, SHOWN_MAX)
      .map(
        ({ subject, counter, stored, counted }) =>
          `${subject}, ${counter}: ${stored} is ${counted}`,
      )
    if (drift.length > SHOWN_MAX) lines.push(`And ${drift.length - SHOWN_MAX} more.`)
    if (args.length === 0) {
      process.exitCode = 1
      return [...lines, `${drift.length} counters are wrong. Fix them with --mend.`].join('\n')
    }
    await db.dedicated((db) => repairCounters(db, settings))
    return [...lines, `${drift.length} counters were wrong. They’re now fixed.`].join('\n')
  })
}

await runCommand(USAGE, run)

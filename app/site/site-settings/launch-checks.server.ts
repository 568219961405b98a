/** Whether a new site’s contact addresses, legal pages and rules are its own. */
import type { LaunchCheck, LaunchStep } from '#app/api/feature.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { storedSettings } from '#app/platform/operations/chosen-settings.server.ts'
import type { FeatureConfig } from '#app/platform/operations/config.server.ts'
import { findingsAbout } from '#app/platform/operations/doctor.server.ts'
import { confirmedSteps } from '#app/platform/operations/owner-steps.server.ts'
import { pageProblem } from '../static-pages/static-page.server.ts'
import { pageSetting } from './site-setting.ts'
import { withSettings } from './site-settings.server.ts'

const MAILBOXES = ['privacyEmail', 'legalEmail', 'pressEmail', 'contactEmail'] as const
const LEGAL = ['terms', 'privacy']
const RULES = ['community-rules']

const { ok, warning, problem } = findingsAbout('pages')

/** @param environmentConfig the configuration without administrators’ choices */
export async function launchChecks(
  db: Database,
  environmentConfig: FeatureConfig,
): Promise<Record<LaunchStep, LaunchCheck>> {
  const chosen = await storedSettings(db)
  const live = withSettings(environmentConfig, { get: (name) => chosen.get(name) })
  const broken = (pages: string[]) =>
    pages.flatMap((page) => {
      const text = chosen.get(pageSetting(page))
      const why = text && pageProblem(page, text.value, live)
      return why
        ? [
            problem(
              `What administrators wrote for /${page} can’t be shown, so our text is: ${why}.`,
            ),
          ]
        : []
    })
  const foreign = MAILBOXES.map((name) => live[name]).filter((it) =>
    it?.endsWith('@kettle.example'),
  )
  return {
    mailboxes: {
      findings:
        foreign.length > 0
          ? [
              warning(
                `${foreign.join(', ')}: kettle.example isn’t yours. Set yours on /admin/settings.`,
              ),
            ]
          : [],
      isOwn: MAILBOXES.every((name) => chosen.has(name)),
    },
    terms: {
      findings: [
        ...broken(LEGAL),
        ...(live.operator
          ? []
          : [warning('No page says who runs this site. Set it on /admin/settings.')]),
      ],
      isOwn: LEGAL.every((page) => chosen.has(pageSetting(page))),
    },
    rules: {
      findings: broken(RULES),
      isOwn: RULES.every((page) => chosen.has(pageSetting(page))),
    },
  }
}

const UNREAD: Record<LaunchStep, string> = {
  mailboxes: 'No one has confirmed that someone reads the contact addresses.',
  terms: 'No one has confirmed that the legal pages are right for this site.',
  rules: 'No one has confirmed the community rules.',
}

/** For `npm run doctor`. */
export async function launchFindings(db: Database, environmentConfig: FeatureConfig) {
  const said: string[] = await confirmedSteps(db)
  const checks = Object.entries(await launchChecks(db, environmentConfig)) as [
    LaunchStep,
    LaunchCheck,
  ][]
  const found = checks.flatMap(([step, { findings, isOwn }]) => [
    ...findings,
    ...(isOwn || said.includes(step)
      ? []
      : [warning(`${UNREAD[step]} The owner does that on /admin-panel.`)]),
  ])
  return found.length > 0 ? found : [ok('Addresses, legal pages and rules are the site’s own.')]
}

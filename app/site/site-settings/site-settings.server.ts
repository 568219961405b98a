/** Reads and changes what administrators set in the panel. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { transaction } from '#app/platform/database/context.server.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { conflict, requireValid } from '#app/platform/http/refusal.ts'
import type {
  ChosenSetting,
  ChosenSettings,
} from '#app/platform/operations/chosen-settings.server.ts'
import type { FeatureConfig } from '#app/platform/operations/config.server.ts'
import { checkedPage, factsOf, ourPage } from '../static-pages/static-page.server.ts'
import {
  fixedSentence,
  LIVE_NAMES,
  pageOf,
  type SettingName,
  settingOf,
  settingProblem,
  shownText,
  tidySetting,
} from './site-setting.ts'
import type { Setting } from './site-settings.contract.ts'

type Given = FeatureConfig

/** `config` with what administrators chose, as it changes. */
export const withSettings = <Config extends Given>(
  config: Config,
  settings: Pick<ChosenSettings, 'get'>,
): Config => {
  const live = Object.defineProperties(
    { ...config },
    Object.fromEntries(
      LIVE_NAMES.map((name) => [
        name,
        {
          enumerable: true,
          get() {
            const chosen = fixedBy(name, config) ? undefined : settings.get(name)
            return chosen ? settingOf(name).read(chosen.value) : config[name]
          },
        },
      ]),
    ),
  )
  const { minShown } = config.ratings
  live.ratings = {
    minShown,
    get batch() {
      return live.ratingBatch
    },
  }
  return live
}

function fixedBy(name: SettingName, { inEnvironment, dataDir }: Given) {
  const page = pageOf(name)
  if (page) return existsSync(join(dataDir, 'pages', `${page}.md`)) ? `pages/${page}.md` : null
  const variable = settingOf(name).fixedBy
  return variable && inEnvironment.includes(variable) ? variable : null
}

function usualOf(name: SettingName, given: Given) {
  const page = pageOf(name)
  return page ? tidySetting(name, ourPage(page)) : settingOf(name).usual(given)
}

function viewOf(name: SettingName, chosen: ChosenSetting | undefined, given: Given): Setting {
  const fixed = fixedBy(name, given)
  const usual = usualOf(name, given)
  return {
    name,
    text: fixed ? usual : (chosen?.value ?? usual),
    usual,
    fixedBy: fixed,
    changedOn: fixed ? null : (chosen?.day ?? null),
  }
}

/** @param given the configuration without anyone’s choices */
export async function siteSettings({ db }: Pick<Ctx, 'db'>, given: Given) {
  const rows = await chosenIn(db, LIVE_NAMES)
  return LIVE_NAMES.map((name) => viewOf(name, rows.get(name), given))
}

/** @param given the configuration without anyone’s choices */
export const siteSetting = async ({ db }: Pick<Ctx, 'db'>, given: Given, name: SettingName) =>
  viewOf(name, (await chosenIn(db, [name])).get(name), given)

export async function chosenIn(db: Database, names: SettingName[]) {
  const rows = await db.query<ChosenSetting & { name: string }>(sql`
    select name, value, to_char(changed_on, 'YYYY-MM-DD') as day from site_settings
     where name = any(${names}::text[])`)
  return new Map(rows.map((row) => [row.name, row]))
}

function pageProblem(name: SettingName, text: string, config: Given) {
  const page = pageOf(name)
  try {
    if (page) checkedPage(page, text, factsOf(config))
    return undefined
  } catch (error) {
    return `The page can’t be shown: ${(error as Error).message}.`
  }
}

/**
 * Applies in all processes within moments, and in this one before it returns.
 * @param text null for the usual one
 * @throws Refusal bad-request, conflict if the environment sets it
 */
export async function chooseSetting(
  ctx: Ctx,
  {
    given,
    config,
    settings,
  }: { given: Given; config: Given; settings: Pick<ChosenSettings, 'changed' | 'settled'> },
  { name, text }: { name: SettingName; text: string | null },
): Promise<Setting> {
  const fixed = fixedBy(name, given)
  if (fixed) throw conflict(fixedSentence(fixed))
  const usual = usualOf(name, given)
  const tidied = text === null ? usual : tidySetting(name, text)
  requireValid(settingProblem(name, tidied) ?? pageProblem(name, tidied, config))
  const chosen = tidied === usual ? undefined : { value: tidied, day: todayOf(ctx) }
  await transaction(ctx, async (ctx) => {
    const { db } = ctx
    // Others wait, so the log’s former text is the one that was replaced.
    await db.query(sql`lock table site_settings in share row exclusive mode`)
    const [row] = await db.query<{ value: string }>(
      sql`select value from site_settings where name = ${name}`,
    )
    const before = row?.value ?? usual
    if (before === tidied) return
    if (chosen)
      await db.query(sql`
        insert into site_settings (name, value, changed_on)
        values (${name}, ${chosen.value}, ${chosen.day}::date)
        on conflict (name) do update set value = excluded.value, changed_on = excluded.changed_on`)
    else await db.query(sql`delete from site_settings where name = ${name}`)
    const { label } = settingOf(name)
    await logAdminAct(ctx, {
      action: 'change-setting',
      subject: label,
      before: shownText(name, before),
      after: shownText(name, tidied),
    })
    await settings.changed(db)
  })
  await settings.settled()
  return viewOf(name, chosen, given)
}

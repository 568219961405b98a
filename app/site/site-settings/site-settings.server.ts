/** Reads and changes what administrators set in the panel. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import sql from 'sql-template-tag'
import type { Ctx } from '#app/api/auth/context.server.ts'
import { logAdminAct } from '#app/identity/accounts/administrators/admin-log.server.ts'
import { transaction } from '#app/platform/database/server-context.server.ts'
import { todayOf } from '#app/platform/days.server.ts'
import { conflict, requireValid } from '#app/platform/http/refusal.ts'
import {
  type ChosenSetting,
  type ChosenSettings,
  storedSettings,
} from '#app/platform/operations/chosen-settings.server.ts'
import type { FeatureConfig } from '#app/platform/operations/config.server.ts'
import { ourPage, pageProblem } from '../static-pages/static-page.server.ts'
import { type NewPicture, sitePictureOf, storePicture } from './site-pictures.server.ts'
import {
  fixedSentence,
  isPictureName,
  LIVE_NAMES,
  type PictureName,
  pageOf,
  type SettingName,
  settingOf,
  settingProblem,
  shownText,
  tidySetting,
} from './site-setting.ts'
import type { Setting } from './site-settings.contract.ts'

/** `config` with what administrators chose, as it changes. */
export const withSettings = <Config extends FeatureConfig>(
  config: Config,
  settings: Pick<ChosenSettings, 'get'>,
): Config =>
  Object.defineProperties(
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

function fixedBy(name: SettingName, { inEnvironment, dataDir }: FeatureConfig) {
  const page = pageOf(name)
  if (page) return existsSync(join(dataDir, 'pages', `${page}.md`)) ? `pages/${page}.md` : null
  const variable = settingOf(name).fixedBy
  return variable && inEnvironment.includes(variable) ? variable : null
}

function usualOf(name: SettingName, environmentConfig: FeatureConfig) {
  const page = pageOf(name)
  return page ? tidySetting(name, ourPage(page)) : settingOf(name).usual(environmentConfig)
}

function viewOf(
  name: SettingName,
  chosen: ChosenSetting | undefined,
  environmentConfig: FeatureConfig,
): Setting {
  const fixed = fixedBy(name, environmentConfig)
  const usual = usualOf(name, environmentConfig)
  return {
    name,
    text: fixed ? usual : (chosen?.value ?? usual),
    usual,
    fixedBy: fixed,
    changedOn: fixed ? null : (chosen?.day ?? null),
  }
}

/** @param environmentConfig the configuration without anyone’s choices */
export async function siteSettings({ db }: Pick<Ctx, 'db'>, environmentConfig: FeatureConfig) {
  const rows = await storedSettings(db)
  return LIVE_NAMES.map((name) => viewOf(name, rows.get(name), environmentConfig))
}

/** @param environmentConfig the configuration without anyone’s choices */
export const siteSetting = async (
  { db }: Pick<Ctx, 'db'>,
  environmentConfig: FeatureConfig,
  name: SettingName,
) => viewOf(name, (await storedSettings(db)).get(name), environmentConfig)

function displayProblem(name: SettingName, text: string, config: FeatureConfig) {
  const page = pageOf(name)
  const problem = page && pageProblem(page, text, config)
  return problem && `The page can’t be shown: ${problem}.`
}

interface SettingParts {
  environmentConfig: FeatureConfig
  config: FeatureConfig
  settings: Pick<ChosenSettings, 'changed' | 'settled'>
}

/**
 * Applies in all processes within moments, and in this one before it returns.
 * @param text null for the usual one
 * @throws Refusal bad-request, conflict if the environment sets it
 */
export async function chooseSetting(
  ctx: Ctx,
  parts: SettingParts,
  { name, text }: { name: SettingName; text: string | null },
): Promise<Setting> {
  const { environmentConfig, config } = parts
  const fixed = fixedBy(name, environmentConfig)
  if (fixed) throw conflict(fixedSentence(fixed))
  const tidied = text === null ? usualOf(name, environmentConfig) : tidySetting(name, text)
  requireValid(settingProblem(name, tidied) ?? displayProblem(name, tidied, config))
  return keepSetting(ctx, parts, { name, tidied })
}

/**
 * The same for a file.
 * @throws Refusal bad-request, too-large, unsupported-type
 */
export async function choosePicture(
  ctx: Ctx,
  parts: SettingParts,
  { name, file }: { name: PictureName; file: Buffer },
): Promise<Setting> {
  const picture = await sitePictureOf(name, file)
  return keepSetting(ctx, parts, { name, tidied: picture.text, picture })
}

async function keepSetting(
  ctx: Ctx,
  { environmentConfig, settings }: Pick<SettingParts, 'environmentConfig' | 'settings'>,
  { name, tidied, picture }: { name: SettingName; tidied: string; picture?: NewPicture },
): Promise<Setting> {
  const usual = usualOf(name, environmentConfig)
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
    if (isPictureName(name)) await storePicture(db, name, picture)
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
  return viewOf(name, chosen, environmentConfig)
}

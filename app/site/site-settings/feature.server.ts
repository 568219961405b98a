import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature, RouteParts } from '#app/api/feature.server.ts'
import { type SiteSettingsContract, siteSettingsContract } from './site-settings.contract.ts'
import { chooseSetting, siteSettings as listOf } from './site-settings.server.ts'

export const siteSettingsHandlers = ({
  given,
  settings,
}: Pick<RouteParts, 'given' | 'settings'>): Handlers<SiteSettingsContract> => ({
  'GET /api/v1/administration/settings': async (ctx) => ({ settings: await listOf(ctx, given) }),
  'PUT /api/v1/administration/settings/{name}': (ctx, { params: { name }, body: { text } }) =>
    chooseSetting(ctx, { given, settings }, { name, text }),
})

export const siteSettings: Feature = {
  routes: ({ bind, ...parts }) => bind(siteSettingsContract, siteSettingsHandlers(parts)),
}

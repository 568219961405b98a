import type { Handlers } from '#app/api/bind.server.ts'
import type { Feature, RouteParts } from '#app/api/feature.server.ts'
import { serveBrand } from './brand-api.server.ts'
import { type SiteSettingsContract, siteSettingsContract } from './site-settings.contract.ts'
import { chooseSetting, siteSettings as listOf, siteSetting } from './site-settings.server.ts'

export const siteSettingsHandlers = ({
  environmentConfig,
  config,
  settings,
}: Pick<
  RouteParts,
  'environmentConfig' | 'config' | 'settings'
>): Handlers<SiteSettingsContract> => ({
  'GET /api/v1/administration/settings': async (ctx) => ({
    settings: await listOf(ctx, environmentConfig),
  }),
  'GET /api/v1/administration/settings/{name}': (ctx, { params }) =>
    siteSetting(ctx, environmentConfig, params.name),
  'PUT /api/v1/administration/settings/{name}': (ctx, { params: { name }, body: { text } }) =>
    chooseSetting(ctx, { environmentConfig, config, settings }, { name, text }),
})

export const siteSettings: Feature = {
  async routes({ bind, ...parts }) {
    bind(siteSettingsContract, siteSettingsHandlers(parts))
    await serveBrand(parts)
  },
}

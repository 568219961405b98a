import { queryOptions } from '@tanstack/react-query'
import type { Client } from '#app/api/client.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import type { SettingName } from './site-setting.ts'
import type { SiteSettingsContract } from './site-settings.contract.ts'

export const siteSettingsQuery = (api: Client<SiteSettingsContract>) =>
  queryOptions({
    queryKey: [MY_KEY, 'administration', 'settings'],
    queryFn: ({ signal }) => api('GET /api/v1/administration/settings', { signal }),
  })

export const siteSettingQuery = (api: Client<SiteSettingsContract>, name: SettingName) =>
  queryOptions({
    queryKey: [...siteSettingsQuery(api).queryKey, name],
    queryFn: ({ signal }) =>
      api('GET /api/v1/administration/settings/{name}', { params: { name }, signal }),
  })

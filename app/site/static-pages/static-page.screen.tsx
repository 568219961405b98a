/** A page of plain text: its text is one of `texts/` or the operator's, and a `.tab.tsx` is what React draws in it. Spec §2.17. */
import { useQuery } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { useApi } from '#app/api/client.ts'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { buttonLook } from '#app/kit/ui/button.tsx'
import { LoadError } from '#app/kit/ui/message.tsx'
import { SITE_PAGES } from '../layout/site-pages.ts'
import type { StaticPageContract } from './static-page.contract.ts'
import { firstAddress, staticPageQuery } from './static-page.data.ts'
import { StaticPage } from './ui/static-page.tsx'

export default function StaticPageScreen({ Tab: Widget }: { Tab?: ComponentType }) {
  const { siteName, siteUrl, flags } = useSite()
  const path = firstAddress(useAddress().path)
  const title = SITE_PAGES.find(({ href }) => href === path)?.name ?? ''
  const { data, error, refetch } = useQuery(staticPageQuery(useApi<StaticPageContract>(), path))
  if (error && !data) return <LoadError isPage text={refusalOf(error)} onRetry={refetch} />
  return (
    <>
      <title>{`${title} – ${siteName}`}</title>
      {data && <meta name="description" content={data.description} />}
      <link rel="canonical" href={siteUrl + path} />
      <StaticPage title={title} page={data} Widget={Widget}>
        {path === '/about' && flags.enableCompanies && (
          <a href="/companies" className={`${buttonLook('primary', 'lg')} mt-12`}>
            Browse companies
          </a>
        )}
      </StaticPage>
    </>
  )
}

/** What an address shows that leads nowhere, and where its path may have meant to lead. Spec §2.17. */
import { Gone, NotFound } from '../../session/not-found.tsx'
import { maySee, useSession } from '../../session/session.data.ts'
import { useSite } from '../../session/site.data.ts'
import { useAddress } from '../../ui/address.ts'
import { CompaniesLike } from '../companies/edits/ui/companies-like.tsx'
import { CompanySearch } from '../company-page/ui/company-search.tsx'
import { wordsOfPath } from './words-of-path.ts'

export default function NotFoundScreen({ sentence }: { sentence?: string }) {
  const { flags } = useSite()
  const { me } = useSession()
  const { path } = useAddress()
  if (sentence) return <Gone sentence={sentence} />
  // Spec §6: employers see no company search.
  const seesCompanies = flags.enableCompanies && maySee('seeCompanySearch', me)
  return (
    <NotFound>
      {seesCompanies && (
        <div className="contents employer:hidden">
          <CompaniesLike text={wordsOfPath(path)} className="mt-8 min-h-6 text-ink-soft">
            {(links) => <>Did you mean {links}?</>}
          </CompaniesLike>
          <CompanySearch className="mt-4 w-full" />
        </div>
      )}
    </NotFound>
  )
}

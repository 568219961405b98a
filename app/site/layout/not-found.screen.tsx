/** The 404 page, which suggests what people may have been looking for. Spec §2.17. */
import { CompaniesLike } from '#app/companies/edits/ui/companies-like.tsx'
import { Gone, NotFound } from '#app/kit/session/not-found.tsx'
import { maySee, useSession } from '#app/kit/session/session.data.ts'
import { useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { CompanySearch } from '../company-page/ui/company-search.tsx'

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

/** Guesses what a broken path was about: "/company/toyta-motor" → "toyta motor". */
export function wordsOfPath(path: string): string {
  const last = path.split('/').findLast((part) => part !== '') ?? ''
  return decoded(last)
    .replace(/[-_+.\s]+/g, ' ')
    .trim()
}

function decoded(part: string) {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

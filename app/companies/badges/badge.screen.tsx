/** Asks for a badge, or gets the one that a mail's link is for. */
import { useEffect, useState } from 'react'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { PageHead } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { BADGE_FORM, BADGE_LINK } from './badge-texts.ts'
import { AskForBadge } from './ui/ask-for-badge.tsx'
import { FetchBadge } from './ui/fetch-badge.tsx'

export default function BadgeScreen() {
  const company = new URLSearchParams(useAddress().search).get('company') ?? ''
  const [token, setToken] = useTokenOfAddress()
  const { title, text } = token ? BADGE_LINK : BADGE_FORM
  return (
    <>
      <PageHead title={title} text={BADGE_FORM.text} />
      <MembersOnly
        title={title}
        text={
          token
            ? 'Log in with the account that asked for it, in the browser where you want it.'
            : BADGE_FORM.text
        }
      >
        {() => (
          <div className="mx-auto w-full max-w-2xl px-5 py-12 md:py-16">
            <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
              {title}
            </h1>
            {!token && <p className="mt-3 leading-relaxed text-pretty text-ink-soft">{text}</p>}
            <div className="mt-8">
              {token ? (
                <FetchBadge token={token} onAskAgain={() => setToken('')} />
              ) : (
                <AskForBadge key={company} companyId={company} />
              )}
            </div>
          </div>
        )}
      </MembersOnly>
    </>
  )
}

/** From the fragment, which no server sees; a second link may be opened in the same tab. */
function useTokenOfAddress() {
  const [token, setToken] = useState('')
  useEffect(() => {
    const read = () => setToken(decodeURIComponent(location.hash.slice(1)))
    read()
    addEventListener('hashchange', read)
    return () => removeEventListener('hashchange', read)
  }, [])
  return [token, setToken] as const
}

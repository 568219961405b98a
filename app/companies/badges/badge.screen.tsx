/** Asks for a badge, or gets the one that a mail's link is for. */

import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { retryUnlessRefused, useApi } from '#app/api/client.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { isIssuingProblem, secretProblem } from '#app/identity/credentials/issuing-problem.data.ts'
import { IssuingDialogs } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { workEmailProblem } from '../claims/claim.ts'
import type { CompanyContract } from '../company.contract.ts'
import { companyQuery } from '../company.data.ts'
import { CompanyPicker, type PickedCompany } from '../ui/company-picker.tsx'
import type { BadgeContract } from './badge.contract.ts'
import type { StoredBadge } from './stored-badges.data.ts'
import { PostBadgeMark } from './ui/badge-mark.tsx'

const WHAT_IT_SHOWS =
  'A badge shows “Works at …” next to the ratings and posts you choose, and never who you are. It appears once ten colleagues have one.'

export default function BadgeScreen() {
  const company = new URLSearchParams(useAddress().search).get('company') ?? ''
  const [token, setToken] = useTokenOfAddress()
  const title = token ? 'Your badge' : 'Show that you work there'
  return (
    <>
      <PageHead title={title} text={WHAT_IT_SHOWS} />
      <MembersOnly
        title={title}
        text={
          token
            ? 'Log in with the account that requested it, in the browser where you want the badge.'
            : WHAT_IT_SHOWS
        }
      >
        {() => (
          <div className="mx-auto w-full max-w-2xl px-5 py-12 md:py-16">
            <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
              {title}
            </h1>
            {!token && (
              <p className="mt-3 leading-relaxed text-pretty text-ink-soft">{WHAT_IT_SHOWS}</p>
            )}
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

/** The token is in the fragment, which no server sees. A second link may be opened in the same tab. */
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

/** @param companyId preselected */
function AskForBadge({ companyId }: { companyId: string }) {
  const api = useApi<BadgeContract & CompanyContract>()
  const [picked, setPicked] = useState<PickedCompany | null>()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const meant = useQuery({ ...companyQuery(api, companyId), enabled: companyId !== '' })
  const company = picked === undefined ? (meant.data ?? null) : picked
  const { form, errors, isBusy } = useForm<'company' | 'email'>({
    check: () => ({
      company: company ? undefined : 'Choose a company first',
      email: workEmailProblem(email),
    }),
    send: async () => {
      if (!company) return
      const { domain } = await api('POST /api/v1/my/badge', {
        body: { companyId: company.id, email: email.trim() },
      })
      setSentTo(domain)
    },
  })
  if (sentTo)
    return (
      <div role="status" className="rounded-xl border border-line bg-surface p-5 md:p-6">
        <h2 className="font-serif text-2xl font-medium tracking-tight text-ink">
          Check your work email
        </h2>
        <p className="mt-2 text-sm leading-6 text-ink-soft">{`We’ve sent a link to your address at ${sentTo}. Open it here, in this browser. You can copy it from another device. The link works for a day, and only while you’re logged in to this account.`}</p>
        <Button variant="secondary" className="mt-4" onClick={() => setSentTo(undefined)}>
          Use another address
        </Button>
      </div>
    )
  return (
    <form {...form} className="grid gap-5 rounded-xl border border-line bg-surface p-5 md:p-6">
      <div>
        <CompanyPicker
          legend="Company"
          placeholder="Where do you work?"
          company={company}
          isLoading={meant.isLoading}
          onPick={setPicked}
        />
        {errors.company && <p className="mt-1.5 text-sm text-danger">{errors.company}</p>}
      </div>
      <EmailField
        label="Work email"
        hint="We’ll send one link there. We don’t keep the address, only a mark that it was used this quarter."
        name="work-email"
        isOther
        value={email}
        onValue={setEmail}
        error={errors.email}
      />
      <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
        Your employer can see that our email arrived, and can read it. It doesn’t say which account
        requested it.
      </p>
      <FormError>{errors.form}</FormError>
      <Button type="submit" busy={isBusy} busyLabel="Sending..." className="justify-self-start">
        Send the link
      </Button>
    </form>
  )
}

/** Opened by a mail's link. */
function FetchBadge({ token, onAskAgain }: { token: string; onAskAgain: () => void }) {
  const api = useApi<BadgeContract, CredentialContract>()
  const who = useSessionKey()
  const { flags } = useSite()
  const link = useQuery({
    queryKey: [MY_KEY, 'badge-link', who, token],
    queryFn: async () => (await import('./badge-issuing.data.ts')).companyOfLink(api, token),
    retry: (failures, error) => !isIssuingProblem(error) && retryUnlessRefused(failures, error),
  })
  const [stored, setStored] = useState<StoredBadge>()
  const [problem, setProblem] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const [issuingError, setIssuingError] = useState<unknown>()
  if (link.isError)
    return (
      <div className={panelLook}>
        <FormError>{secretProblem(link.error)}</FormError>
        <Button variant="secondary" onClick={onAskAgain} className="justify-self-start">
          Request another link
        </Button>
      </div>
    )
  if (!link.data) return <Skeleton className="h-40 w-full rounded-xl" />
  const company = link.data
  const keep = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      const { fetchBadge } = await import('./badge-issuing.data.ts')
      setStored(await fetchBadge(api, who, { token, company }))
    } catch (error) {
      setIssuingError(error)
      setProblem(secretProblem(error))
    } finally {
      setBusy(false)
    }
  }
  if (stored)
    return (
      <div role="status" className={panelLook}>
        <h2 className="font-serif text-2xl leading-8 font-medium tracking-tight text-ink">
          {`You can now show that you work at ${company.name}`}
        </h2>
        <p className="text-sm leading-6 text-ink-soft">
          Tick the box when you rate or post. You can see when it expires, or forget it, in your
          settings.
        </p>
        <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
          <a href={`${company.path}?tab=ratings&rate=yes`} className={linkLook}>
            {`Rate ${company.name}`}
          </a>
          {flags.enableSettings && (
            <a href="/settings#your-ratings" className={linkLook}>
              Your badges
            </a>
          )}
        </p>
      </div>
    )
  return (
    <div className={panelLook}>
      <p>
        <PostBadgeMark badge={company} />
      </p>
      <p className="text-sm leading-6 text-ink-soft">
        Your browser gets the badge now and keeps it. Our database records that this address has one
        this quarter, not who you are.
      </p>
      <FormError>{problem}</FormError>
      <Button busy={isBusy} busyLabel="Getting it..." onClick={keep} className="justify-self-start">
        Keep the badge in this browser
      </Button>
      <IssuingDialogs error={issuingError} onClose={() => setIssuingError(undefined)} />
    </div>
  )
}

const panelLook = 'grid gap-4 rounded-xl border border-line bg-surface p-5 md:p-6'

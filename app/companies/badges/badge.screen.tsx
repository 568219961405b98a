/** Requests a badge, and gets it with the emailed code. */

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { CodeForm } from '#app/identity/accounts/sign-in/ui/code-form.tsx'
import { ConfirmFirst } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import type { CredentialContract } from '#app/identity/credentials/credential.contract.ts'
import { secretProblem } from '#app/identity/credentials/issuing-problem.data.ts'
import { IssuingDialogs } from '#app/identity/credentials/ui/issuing-dialogs.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { MembersOnly } from '#app/kit/session/members-only.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { PageHead, useSite } from '#app/kit/session/site.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { MAIL_CODE } from '#app/kit/writing/mail-code.ts'
import { useTabText } from '#app/kit/writing/tab-text.ts'
import { workEmailProblem } from '../claims/claim.ts'
import type { CompanyContract } from '../company.contract.ts'
import { companyQuery } from '../company.data.ts'
import { roomPathOf } from '../company.ts'
import { CompanyPicker, type PickedCompany } from '../ui/company-picker.tsx'
import type { BadgeContract } from './badge.contract.ts'
import { badgeShows, roomOpens, WHAT_IT_SHOWS } from './badge.ts'
import type { AskedBadge } from './badge-issuing.data.ts'
import type { StoredBadge } from './stored-badges.data.ts'
import { InviteColleagues } from './ui/invite-colleagues.tsx'

export default function BadgeScreen() {
  const companyId = new URLSearchParams(useAddress().search).get('company') ?? ''
  const [badge, setBadge] = useState<StoredBadge>()
  const text = `${WHAT_IT_SHOWS} ${badgeShows(useSite().badgeHoldersMin)}.`
  const title = badge ? 'Your badge' : 'Show that you work there'
  return (
    <>
      <PageHead title={title} text={text} />
      <MembersOnly title={title} text={text}>
        {(me) => (
          <div className="mx-auto w-full max-w-2xl px-5 py-12 md:py-16">
            <h1 className="font-serif text-4xl leading-tight font-medium tracking-tight text-ink md:text-5xl">
              {title}
            </h1>
            {!badge && <p className="mt-3 leading-relaxed text-pretty text-ink-soft">{text}</p>}
            <div className="mt-8">
              {badge ? (
                <NewBadge badge={badge} />
              ) : !me.isEmailConfirmed ? (
                <ConfirmFirst me={me}>Then you can get a badge with your work email.</ConfirmFirst>
              ) : (
                <GetBadge key={companyId} companyId={companyId} onKept={setBadge} />
              )}
            </div>
          </div>
        )}
      </MembersOnly>
    </>
  )
}

/** The tab remembers the request while people read their mail. @param companyId preselected */
function GetBadge({ companyId, onKept }: GetBadgeProps) {
  const [text, setText] = useTabText(`kettle-badge:${useSessionKey()}`)
  const asked = storedRequest(text)
  if (!asked)
    return <AskForBadge companyId={companyId} onAsked={(now) => setText(JSON.stringify(now))} />
  return (
    <EnterCode
      asked={asked}
      onAskAgain={() => setText('')}
      onKept={(badge) => {
        setText('')
        onKept(badge)
      }}
    />
  )
}

/** Undefined before a request, or if we can’t read it. */
function storedRequest(text: string): AskedBadge | undefined {
  try {
    const asked = JSON.parse(text) as Partial<AskedBadge> | null
    return typeof asked?.token === 'string' && typeof asked.companyId === 'string'
      ? (asked as AskedBadge)
      : undefined
  } catch {
    return undefined
  }
}

function AskForBadge({ companyId, onAsked }: AskForBadgeProps) {
  const api = useApi<BadgeContract & CompanyContract>()
  const { siteName } = useSite()
  const [picked, setPicked] = useState<PickedCompany | null>()
  const [email, setEmail] = useState('')
  const meant = useQuery({ ...companyQuery(api, companyId), enabled: companyId !== '' })
  const company = picked === undefined ? (meant.data ?? null) : picked
  const { form, errors, isBusy } = useForm<'company' | 'email'>({
    check: () => ({
      company: company ? undefined : 'Choose a company first',
      email: workEmailProblem(email),
    }),
    send: async () => {
      if (!company) return
      const sent = await api('POST /api/v1/my/badge', {
        body: { companyId: company.id, email: email.trim() },
      })
      onAsked({ ...sent, companyId: company.id })
    },
  })
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
        hint="We’ll send a code there. We don’t store the address, only a scrambled form of it, so it can’t get two badges a quarter."
        name="work-email"
        isOther
        value={email}
        onValue={setEmail}
        error={errors.email}
      />
      <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
        {`Your employer may see that you got an email from ${siteName}. They’d find a code in it, but not what it’s for.`}
      </p>
      <FormError>{errors.form}</FormError>
      <Button type="submit" busy={isBusy} busyLabel="Sending..." className="justify-self-start">
        Send the code
      </Button>
    </form>
  )
}

function EnterCode({ asked, onAskAgain, onKept }: EnterCodeProps) {
  const api = useApi<BadgeContract, CredentialContract>()
  const sessionKey = useSessionKey()
  const [issuingError, setIssuingError] = useState<unknown>()
  const keep = async (code: string) => {
    try {
      const { fetchBadge } = await import('./badge-issuing.data.ts')
      onKept(await fetchBadge(api, sessionKey, { ...asked, code }))
      return undefined
    } catch (error) {
      setIssuingError(error)
      return { message: secretProblem(error) }
    }
  }
  return (
    <div className={panelClasses}>
      <div role="status">
        <h2 className="font-serif text-2xl font-medium tracking-tight text-ink">
          Check your work email
        </h2>
        <p className="mt-2 text-sm leading-6 text-ink-soft">{`We’ve sent a code to your address at ${asked.domain}. Enter it here. It expires in an hour.`}</p>
      </div>
      <CodeForm
        kind={MAIL_CODE}
        label="Get the badge"
        hint="Your browser keeps the badge. We don’t store which account it belongs to."
        verify={keep}
        onDone={() => {}}
        hasFocus
      />
      <Button variant="secondary" onClick={onAskAgain} className="justify-self-start">
        Send another code
      </Button>
      <IssuingDialogs error={issuingError} onClose={() => setIssuingError(undefined)} />
    </div>
  )
}

function NewBadge({ badge: { company } }: { badge: StoredBadge }) {
  const { flags, badgeHoldersMin, roomHoldersMin } = useSite()
  return (
    <div className={panelClasses}>
      <div role="status">
        <h2 className="font-serif text-2xl leading-8 font-medium tracking-tight text-ink">
          {`You can now show that you work at ${company.name}`}
        </h2>
        <p className="mt-2 text-sm leading-6 text-ink-soft">
          {`Tick the box when you rate or post. ${badgeShows(badgeHoldersMin)}.`}
        </p>
      </div>
      <p className="flex flex-wrap gap-x-6 gap-y-2 text-sm">
        <a href={`${company.path}?tab=ratings&rate=yes`} className={linkClasses}>
          {`Rate ${company.name}`}
        </a>
        {flags.enableDiscussions && (
          <a href={`/create-thread?company=${company.id}`} className={linkClasses}>
            Start a thread
          </a>
        )}
        {flags.enableSettings && (
          <a href="/settings#your-badges" className={linkClasses}>
            Your badges
          </a>
        )}
      </p>
      {flags.enableDiscussions && (
        <div className="grid justify-items-start gap-3 border-t border-line pt-4 text-sm leading-6 text-ink-soft">
          <p>
            {'In '}
            <a href={roomPathOf(company.path)} className={linkClasses}>
              {`${company.name}’s room`}
            </a>
            {`, people with this badge talk among themselves. ${roomOpens(roomHoldersMin)}, so tell yours.`}
          </p>
          <InviteColleagues company={company} />
        </div>
      )}
    </div>
  )
}

const panelClasses = 'grid gap-4 rounded-xl border border-line bg-surface p-5 md:p-6'

interface GetBadgeProps {
  companyId: string
  onKept: (badge: StoredBadge) => void
}

interface AskForBadgeProps extends Pick<GetBadgeProps, 'companyId'> {
  onAsked: (asked: AskedBadge) => void
}

interface EnterCodeProps extends Pick<GetBadgeProps, 'onKept'> {
  asked: AskedBadge
  onAskAgain: () => void
}

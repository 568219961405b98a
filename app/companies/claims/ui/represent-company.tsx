/** The settings' section for people who act for a company, or want to. Issue 7. */
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import type { Me } from '#app/kit/session/session.contract.ts'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { useAddress } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { ClaimContract } from '../claim.contract.ts'
import { myClaimsQuery } from '../claim.data.ts'
import type { SeatContract } from '../seats/seat.contract.ts'
import { myInvitationsQuery } from '../seats/seat.data.ts'

/** Lazy, because most members don't act for a company. */
const ClaimRow = lazyComponent(
  () => import('./claim-row.tsx').then((it) => it.ClaimRow),
  <Skeleton className="h-24 w-full rounded-lg" />,
)
const InvitationRow = lazyComponent(
  () => import('../seats/ui/invitation-row.tsx').then((it) => it.InvitationRow),
  <Skeleton className="h-44 w-full rounded-lg" />,
)
const ClaimForm = lazyComponent(
  () => import('./claim-form.tsx').then((it) => it.ClaimForm),
  <Skeleton className="h-112 w-full rounded-lg" />,
)

export function RepresentCompany({ me }: { me: Pick<Me, 'isEmailConfirmed'> }) {
  const { data: claims, isError, refetch } = useQuery(myClaimsQuery(useApi<ClaimContract>()))
  const { data: invitations } = useQuery(myInvitationsQuery(useApi<SeatContract>()))
  // A link from a company's page names that company.
  const wanted = new URLSearchParams(useAddress().search).get('company') ?? undefined
  const isWanted = claims && wanted && !claims.some(({ company }) => company.id === wanted)
  const [isAdding, setAdding] = useState<boolean>()
  const container = useRef<HTMLDivElement>(null)
  const comeBack = () => container.current?.focus()
  const isOpen = isAdding ?? (Boolean(isWanted) && me.isEmailConfirmed)
  return (
    <SettingsSection
      id="represent"
      title="I represent a company"
      text="For HR and others who speak for their company: reply in its name and see how people talk about it. Only colleagues who also speak for it see that it’s you."
    >
      <div ref={container} tabIndex={-1} className="grid gap-5 outline-none">
        {invitations?.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} onGone={comeBack} />
        ))}
        {claims && claims.length > 0 && (
          <ul className="grid gap-5">
            {claims.map((claim) => (
              <li key={claim.id} className="border-line not-first:border-t not-first:pt-5">
                <ClaimRow claim={claim} onGone={comeBack} />
              </li>
            ))}
          </ul>
        )}
        {!claims && !isError && <Skeleton className="h-12 w-full rounded-lg" />}
        {!claims && isError && (
          <LoadErrorLine text="Couldn’t load your claims." onRetry={refetch} />
        )}
        {claims && claims.length > 0 && <hr className="border-line" />}
        {claims && isOpen && (
          <ClaimForm
            companyId={wanted}
            onClose={() => {
              setAdding(false)
              comeBack()
            }}
          />
        )}
        {claims && !isOpen && (
          <Start
            isEmailConfirmed={me.isEmailConfirmed}
            hasClaims={claims.length > 0}
            onStart={() => setAdding(true)}
          />
        )}
      </div>
    </SettingsSection>
  )
}

interface StartProps {
  isEmailConfirmed: boolean
  hasClaims: boolean
  onStart: () => void
}

function Start({ isEmailConfirmed, hasClaims, onStart }: StartProps) {
  if (!isEmailConfirmed)
    return (
      <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
        {'First, please confirm your account’s own email under '}
        <a href="#account" className="underline underline-offset-4">
          Account
        </a>
        .
      </p>
    )
  return (
    <div className="flex flex-col items-start gap-x-8 gap-y-4 md:flex-row md:items-center md:justify-between">
      <p className="max-w-sm text-sm leading-6 text-ink-soft">
        Prove that you may speak for the company, with a work email or a DNS record. We review each
        claim.
      </p>
      <Button variant="secondary" onClick={onStart}>
        {hasClaims ? 'Represent another company' : 'Represent a company'}
      </Button>
    </div>
  )
}

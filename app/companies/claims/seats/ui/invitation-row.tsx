import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { CompanyLogo } from '../../../logos/ui/company-logo.tsx'
import type { MyInvitation, SeatContract } from '../seat.contract.ts'
import { acceptInvitation, declineInvitation } from '../seat.data.ts'

/** @param onGone the row with the focus is about to disappear */
export function InvitationRow({
  invitation: { id, company },
  onGone,
}: {
  invitation: MyInvitation
  onGone: () => void
}) {
  const queries = { api: useApi<SeatContract>(), queryClient: useQueryClient() }
  const [busy, setBusy] = useState<'accept' | 'decline'>()
  const answer = async (what: 'accept' | 'decline') => {
    setBusy(what)
    const answering =
      what === 'accept' ? acceptInvitation(queries, id) : declineInvitation(queries, id)
    await answering.then(
      () => {
        toast(
          what === 'accept'
            ? { title: `You act for ${company.name}` }
            : { title: 'Invitation declined' },
        )
        onGone()
      },
      reportError(what === 'accept' ? 'Couldn’t accept it' : 'Couldn’t decline it'),
    )
    setBusy(undefined)
  }
  return (
    <article aria-labelledby={`invitation-${id}`} className="rounded-md bg-tea-soft px-4 py-4">
      <div className="flex items-center gap-3">
        <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-9" />
        <h3 id={`invitation-${id}`} className="min-w-0 font-medium wrap-anywhere text-ink">
          {`${company.name} has invited you to act for it`}
        </h3>
      </div>
      <p className="mt-2 text-sm leading-6 text-ink">
        You’d reply as the company, manage its jobs and see its dashboard. This account could no
        longer post, vote or rate as a person. Colleagues with a seat would see your username.
      </p>
      <div className="mt-3 flex flex-wrap gap-2">
        <Button
          size="sm"
          busy={busy === 'accept'}
          busyLabel="Accepting..."
          disabled={busy !== undefined}
          onClick={() => answer('accept')}
        >
          Accept
        </Button>
        <Button
          size="sm"
          variant="ghost"
          disabled={busy !== undefined}
          onClick={() => answer('decline')}
        >
          Decline
        </Button>
      </div>
    </article>
  )
}

/** Spec §2.11. */

import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { sendingProblem } from '#app/kit/forms/refusal.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { navigate } from '#app/kit/ui/address.ts'
import { Badge, type BadgeTone } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { AddCompanyDialog } from '../../importing/ui/lazy-add-company-dialog.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import { CompanyBox } from '../../ui/company-picker.tsx'
import type { RequestStatus } from '../company-request.ts'
import type { CompanyRequest, KnownCompany, RequestContract } from '../request.contract.ts'
import {
  type Decision,
  decisionToast,
  REVIEW_TEXTS,
  STATUS_NAMES,
  websiteHref,
} from '../request-review.ts'
import { approveRequest, declineRequest, linkRequest } from '../review.data.ts'

const TONES: Record<RequestStatus, BadgeTone> = {
  pending: 'tea',
  approved: 'leaf',
  declined: 'quiet',
}

interface RequestCardProps {
  request: CompanyRequest
  isRemoving: boolean
  onRemove: () => void
  /** The buttons with the focus are about to disappear. */
  onDecided: () => void
}

export function RequestCard({ request, isRemoving, onRemove, onDecided }: RequestCardProps) {
  const api = useApi<RequestContract>()
  const queryClient = useQueryClient()
  const [busy, setBusy] = useState<string>()
  const { id, companyName, companyWebsite, status, notify, createdOn, company } = request
  const isOpen = status === 'pending'

  const [isApproving, setApproving] = useState(false)
  const deciding = { api, queryClient }
  const announce = (decision: Decision, known?: { name: string; path: string } | null) => {
    const path = known?.path
    toast({
      ...decisionToast(decision, known?.name ?? companyName, notify),
      ...(path && { action: { label: 'See it', onPress: () => navigate(path) } }),
    })
    onDecided()
  }
  const settle = async (decision: 'link' | 'decline', other?: { id: string }) => {
    setBusy(other?.id ?? decision)
    try {
      const answer = other
        ? await linkRequest(deciding, id, other.id)
        : await declineRequest(deciding, id)
      announce(decision, answer.company)
    } catch (error) {
      toast({
        title: decision === 'link' ? 'Couldn’t link it' : 'Couldn’t decline it',
        description: sendingProblem(error),
        variant: 'destructive',
      })
    }
    setBusy(undefined)
  }

  return (
    <article aria-labelledby={`request-${id}`} aria-busy={isRemoving || undefined}>
      <div className="flex items-start justify-between gap-x-4">
        <h3
          id={`request-${id}`}
          dir="auto"
          className="min-w-0 font-serif text-xl leading-7 font-medium wrap-anywhere text-ink"
        >
          {companyName}
        </h3>
        <Button
          variant="ghost"
          size="sm"
          onClick={onRemove}
          disabled={busy !== undefined}
          busy={isRemoving}
          aria-label={`${REVIEW_TEXTS.remove}: ${companyName}`}
          className="-mt-1 -mr-3"
        >
          {REVIEW_TEXTS.remove}
        </Button>
      </div>
      {companyWebsite && (
        <p className="mt-0.5 text-sm">
          <a
            href={websiteHref(companyWebsite)}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="wrap-anywhere text-tea underline decoration-tea/40 underline-offset-4 hover:decoration-tea"
          >
            {companyWebsite}
          </a>
        </p>
      )}
      <p className="mt-2 text-sm wrap-anywhere text-ink-soft">
        {REVIEW_TEXTS.requestedBy(request.requesterEmail)}
        {notify && isOpen && ' (wants an email when it’s added)'}
      </p>
      <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-1 text-sm text-ink-faint">
        <span>
          {'Status: '}
          <Badge tone={TONES[status]}>{STATUS_NAMES[status]}</Badge>
        </span>
        <span>
          {'Created: '}
          <time dateTime={createdOn}>{dateText(createdOn)}</time>
        </span>
      </p>
      {company && (
        <div className="mt-3">
          <KnownCompanyLine company={company} />
        </div>
      )}
      {isOpen && (
        <OpenRequest
          request={request}
          busy={busy}
          isRemoving={isRemoving}
          onApprove={() => setApproving(true)}
          onSettle={settle}
        />
      )}
      <AddCompanyDialog
        open={isApproving}
        onOpenChange={setApproving}
        title={`Add ${companyName}`}
        known={{ name: companyName, website: companyWebsite ?? '' }}
        add={async (form) => {
          const { company, double } = await approveRequest(deciding, id, form)
          if (company) announce('approve', company)
          return double
        }}
      />
    </article>
  )
}

interface OpenRequestProps {
  request: CompanyRequest
  /** The pending decision, or company to link. */
  busy: string | undefined
  isRemoving: boolean
  onApprove: () => void
  onSettle: (decision: 'link' | 'decline', other?: { id: string }) => void
}

function OpenRequest({ request, busy, isRemoving, onApprove, onSettle }: OpenRequestProps) {
  const [isSearching, setSearching] = useState(false)
  const { duplicates, companyName } = request
  const isStill = busy !== undefined || isRemoving
  return (
    <>
      {duplicates.length > 0 && (
        <div className="mt-4 rounded-lg border border-line bg-sunken/60 p-3">
          <p className="text-sm font-medium text-ink">Already here?</p>
          <ul aria-label={`Possibly ${companyName}`} className="mt-2 grid gap-2">
            {duplicates.map((company) => (
              <li key={company.id} className="flex min-w-0 items-center justify-between gap-3">
                <KnownCompanyLine company={company} />
                <Button
                  variant="secondary"
                  size="sm"
                  busy={busy === company.id}
                  disabled={isStill}
                  aria-label={`Link to ${company.name}`}
                  onClick={() => onSettle('link', company)}
                >
                  Link
                </Button>
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button
          size="sm"
          variant={duplicates.length > 0 ? 'secondary' : 'primary'}
          {...AddCompanyDialog.preload}
          disabled={isStill}
          onClick={onApprove}
        >
          {duplicates.length > 0 ? 'Add as a new company' : 'Approve'}
        </Button>
        <Button
          size="sm"
          variant="secondary"
          disabled={isStill}
          aria-expanded={isSearching}
          onClick={() => setSearching(!isSearching)}
        >
          Link to another
        </Button>
        <Button
          size="sm"
          variant="secondary"
          busy={busy === 'decline'}
          disabled={isStill}
          onClick={() => onSettle('decline')}
        >
          Decline
        </Button>
      </div>
      {isSearching && (
        <div className="mt-4">
          <CompanyBox
            label="Company to link to"
            placeholder="Which company is meant?"
            onPick={(company) => onSettle('link', company)}
          />
        </div>
      )}
    </>
  )
}

const KnownCompanyLine = ({ company }: { company: KnownCompany }) => (
  <SiteLink
    href={company.path}
    target="_blank"
    rel="noopener"
    className="flex min-w-0 items-center gap-3 text-sm text-ink underline decoration-line-strong underline-offset-4 hover:decoration-ink"
  >
    <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
    <span className="min-w-0">
      <span dir="auto" className="block truncate">
        {company.name}
      </span>
      <span className="block truncate text-xs text-ink-faint">{company.category}</span>
    </span>
  </SiteLink>
)

/** Administrators decide on claims here. Work addresses are masked. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { dateText } from '#app/kit/ui/format.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { PagedList } from '#app/kit/ui/paged-list.tsx'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import type { ClaimContract, ReviewedClaim } from '../claim.contract.ts'
import { reviewedClaimsQuery } from '../claim.data.ts'
import {
  CLAIM_LIST_NAMES,
  CLAIM_LISTS,
  CLAIM_STATUS_NAMES,
  type ClaimDecision,
  type ClaimList,
} from '../claim.ts'

const EMPTY: Record<ClaimList, { title: string; text: string }> = {
  waiting: { title: 'Nothing to decide', text: 'Verified claims wait here for an administrator.' },
  unverified: {
    title: 'No unverified claims',
    text: 'Claims stay here until the email is confirmed or the DNS record is found.',
  },
  approved: {
    title: 'No one acts for a company yet',
    text: 'Approved claims are listed here, where you can revoke them.',
  },
  closed: {
    title: 'No closed claims',
    text: 'Declined, withdrawn and revoked claims are listed here.',
  },
}

export function ClaimsReview() {
  const [list, setList] = useState<ClaimList>('waiting')
  const top = useRef<HTMLDivElement>(null)
  const query = useInfiniteQuery(reviewedClaimsQuery(useApi<ClaimContract>(), list))
  const claims = query.data?.pages.flatMap((page) => page.claims) ?? []
  return (
    <div ref={top} tabIndex={-1} className="outline-none">
      <p className="max-w-prose text-sm leading-6 text-ink-soft">
        Approved people can reply as the company. The email or DNS record only shows that someone
        belongs to its domain, not that they’re allowed to speak for it.
      </p>
      <fieldset className="mt-5 mb-4 flex flex-wrap gap-2">
        <legend className="sr-only">Which claims</legend>
        {CLAIM_LISTS.map((each) => (
          <Button
            key={each}
            variant="secondary"
            size="sm"
            aria-pressed={list === each}
            onClick={() => setList(each)}
            className={cx(list === each && 'border-tea! bg-tea-soft! text-tea-strong!')}
          >
            {CLAIM_LIST_NAMES[each]}
          </Button>
        ))}
      </fieldset>
      <PagedList
        query={query}
        items={claims}
        empty={<EmptyState {...EMPTY[list]} />}
        render={(claim) => (
          <ReviewedClaimRow claim={claim} onDecided={() => top.current?.focus()} />
        )}
      />
    </div>
  )
}

const DecisionDialog = lazyDialog(() =>
  import('./decision-dialog.tsx').then((it) => it.DecisionDialog),
)

const BUTTONS = {
  approve: { label: 'Approve', variant: 'primary' },
  decline: { label: 'Decline', variant: 'secondary' },
  revoke: { label: 'Revoke', variant: 'secondary' },
} as const

interface ReviewedClaimRowProps {
  claim: ReviewedClaim
  /** The row with the focus is about to disappear. */
  onDecided: () => void
}

function ReviewedClaimRow({ claim, onDecided }: ReviewedClaimRowProps) {
  const { company, status, username, website, note, answer } = claim
  const [isAsking, setAsking] = useState(false)
  // The dialog keeps its text while it closes.
  const [decision, setDecision] = useState<ClaimDecision>('approve')
  return (
    <article aria-labelledby={`claim-${claim.id}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-9" />
        <h3
          id={`claim-${claim.id}`}
          className="min-w-0 font-serif text-xl leading-7 font-medium wrap-anywhere"
        >
          <SiteLink
            href={company.path}
            target="_blank"
            rel="noopener"
            className="underline-offset-4 hover:underline"
          >
            {company.name}
          </SiteLink>
        </h3>
        <Badge tone={badgeOf(claim).tone}>{badgeOf(claim).text}</Badge>
      </div>
      <p className="mt-2 text-sm leading-6 wrap-anywhere text-ink-soft">
        {'Claimed by '}
        <strong className="font-semibold text-ink">{username}</strong>
        {claim.isMine && ' (you)'}
        {claim.claimedOn && `, ${dateText(claim.claimedOn)}`}
      </p>
      <p className="text-sm leading-6 wrap-anywhere text-ink-soft">
        {verificationText(claim)}
        {website && (
          <>
            {' Website: '}
            <a
              href={website}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className={linkClasses}
            >
              {website}
            </a>
          </>
        )}
      </p>
      {claim.others > 0 && (
        <p className="text-sm leading-6 text-ink-soft">
          {claim.others === 1
            ? 'Someone else already acts for this company.'
            : `${claim.others} others already act for this company.`}
        </p>
      )}
      {(note || answer) && (
        <p className="mt-2 border-l-2 border-line pl-3 text-sm leading-6 wrap-anywhere whitespace-pre-line text-ink-soft">
          <span className="sr-only">{note ? 'Note: ' : 'Answer: '}</span>
          {note || answer}
        </p>
      )}
      <div className="mt-3 flex flex-wrap gap-2 empty:hidden">
        {decisionsOn(claim).map((each) => (
          <Button
            key={each}
            size="sm"
            variant={BUTTONS[each].variant}
            {...DecisionDialog.preload}
            aria-label={`${BUTTONS[each].label}: ${username} for ${company.name}`}
            onClick={() => {
              setDecision(each)
              setAsking(true)
            }}
          >
            {BUTTONS[each].label}
          </Button>
        ))}
      </div>
      {status !== 'withdrawn' && (
        <DecisionDialog
          key={decision}
          open={isAsking}
          onOpenChange={setAsking}
          claim={claim}
          decision={decision}
          onDecided={onDecided}
        />
      )}
    </article>
  )
}

function decisionsOn({ status, isVerified }: ReviewedClaim): ClaimDecision[] {
  if (status === 'approved') return ['revoke']
  if (status === 'pending') return isVerified ? ['approve', 'decline'] : ['decline']
  return []
}

function badgeOf({ status, isVerified, isOwner }: ReviewedClaim) {
  if (status === 'pending')
    return isVerified
      ? ({ tone: 'leaf', text: 'Verified' } as const)
      : ({ tone: 'quiet', text: 'Not verified' } as const)
  const tone = status === 'approved' ? ('leaf' as const) : ('quiet' as const)
  return { tone, text: isOwner ? 'Approved, owner' : CLAIM_STATUS_NAMES[status] }
}

function verificationText({
  method,
  isVerified,
  workEmail,
  domain,
  status,
}: ReviewedClaim): string {
  if (method === null) return 'Invited by the owner of the seats or entered by hand.'
  const [way, yes, where] =
    method === 'mail' ? ['By email', 'confirmed', workEmail] : ['By DNS record', 'found', domain]
  if (status !== 'pending') return `${way}.`
  return `${way}: ${where}, ${isVerified ? '' : 'not yet '}${yes}.`
}

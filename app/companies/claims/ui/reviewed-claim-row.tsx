import { useState } from 'react'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import type { ReviewedClaim } from '../claim.contract.ts'
import { CLAIM_STATUS_NAMES, type ClaimDecision } from '../claim.ts'
import { DECISION_WORDS } from '../claim-texts.ts'

const DecisionDialog = lazyDialog(() =>
  import('./decision-dialog.tsx').then((it) => it.DecisionDialog),
)

const BUTTON_LOOKS = { approve: 'primary', decline: 'secondary', revoke: 'secondary' } as const

interface ReviewedClaimRowProps {
  claim: ReviewedClaim
  /** The row with the focus is about to disappear. */
  onDecided: () => void
}

export function ReviewedClaimRow({ claim, onDecided }: ReviewedClaimRowProps) {
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
        {proofOf(claim)}
        {website && (
          <>
            {' Website: '}
            <a
              href={website}
              target="_blank"
              rel="noopener noreferrer nofollow"
              className={linkLook}
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
            variant={BUTTON_LOOKS[each]}
            {...DecisionDialog.preload}
            aria-label={`${DECISION_WORDS[each].button}: ${username} for ${company.name}`}
            onClick={() => {
              setDecision(each)
              setAsking(true)
            }}
          >
            {DECISION_WORDS[each].button}
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

function proofOf({ method, isVerified, workEmail, domain, status }: ReviewedClaim): string {
  if (method === null) return 'Invited by the owner of the seats, or entered by hand.'
  const [way, yes, where] =
    method === 'mail' ? ['By email', 'confirmed', workEmail] : ['By DNS record', 'found', domain]
  if (status !== 'pending') return `${way}.`
  return `${way}: ${where}, ${isVerified ? '' : 'not yet '}${yes}.`
}

import { useQueryClient } from '@tanstack/react-query'
import { Copy } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { SiteLink, useSite } from '#app/kit/session/site.tsx'
import { Badge, type BadgeTone } from '#app/kit/ui/badge.tsx'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Checkbox } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { copyText } from '#app/kit/ui/share.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import type { ClaimContract, MyClaim } from '../claim.contract.ts'
import { CLAIM_LINK_HOURS, CLAIM_STATUS_NAMES, type ClaimStatus } from '../claim.ts'
import { checkRecord, chooseCompanyNews, resendLink, withdrawClaim } from '../claim-actions.data.ts'
import { CompanySeats } from '../seats/ui/company-seats.tsx'

const TONES: Record<ClaimStatus, BadgeTone> = {
  pending: 'tea',
  approved: 'leaf',
  declined: 'quiet',
  withdrawn: 'quiet',
  revoked: 'quiet',
}

/** @param onGone the row with the focus is about to disappear */
export function ClaimRow({ claim, onGone }: { claim: MyClaim; onGone: () => void }) {
  const { company, status, answer } = claim
  return (
    <article aria-labelledby={`claim-${claim.id}`}>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-9" />
        <h3 id={`claim-${claim.id}`} className="min-w-0 font-medium wrap-anywhere text-ink">
          <SiteLink href={company.path} className="underline-offset-4 hover:underline">
            {company.name}
          </SiteLink>
        </h3>
        <Badge tone={TONES[status]}>
          {status === 'pending' && claim.isVerified ? 'In review' : CLAIM_STATUS_NAMES[status]}
        </Badge>
      </div>
      <p className="mt-2 text-sm leading-6 text-ink-soft">{stepOf(claim)}</p>
      {answer && (
        <p className="mt-2 border-l-2 border-line pl-3 text-sm leading-6 wrap-anywhere whitespace-pre-line text-ink-soft">
          <span className="sr-only">An administrator says: </span>
          {answer}
        </p>
      )}
      {claim.record && <DnsRecord record={claim.record} />}
      {status === 'pending' && <Waiting claim={claim} onGone={onGone} />}
      {status === 'approved' && <Acting claim={claim} onGone={onGone} />}
      {status === 'approved' && <CompanySeats company={company} />}
    </article>
  )
}

/** The next step of a claim. */
const STEPS = {
  mail: (address: string) =>
    `We sent a link to ${address}. Open it within ${CLAIM_LINK_HOURS} hours to confirm.`,
  dns: 'Add this TXT record to your domain, then ask us to check.',
  verified:
    'Verified. An administrator will review your claim, and we’ll email the result to your account’s address.',
  approved: 'You act for this company.',
  declined: 'Your claim was declined.',
  revoked: 'You can no longer act for this company. An administrator ended your access.',
} as const

function stepOf({ status, isVerified, method, workEmail }: MyClaim) {
  if (status === 'approved' || status === 'declined' || status === 'revoked') return STEPS[status]
  if (isVerified) return STEPS.verified
  return method === 'mail' ? STEPS.mail(workEmail ?? '') : STEPS.dns
}

const OUTCOMES = {
  verified: { title: 'Verified', description: 'An administrator will review your claim.' },
  missing: {
    title: 'Not found yet',
    description: 'New records can take an hour to show up everywhere. Try again later.',
  },
  'no-answer': {
    title: 'No answer',
    description: 'The domain’s name servers didn’t answer. Try again later.',
  },
} as const

function Waiting({ claim, onGone }: { claim: MyClaim; onGone: () => void }) {
  const queries = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const [busy, setBusy] = useState<'step' | 'withdraw'>()
  const { id, company, isVerified, method } = claim
  const press = async (what: 'step' | 'withdraw', failure: string, work: () => Promise<void>) => {
    setBusy(what)
    await work().catch(reportError(failure))
    setBusy(undefined)
  }
  const check = () =>
    press('step', 'Couldn’t check it', async () => {
      const { outcome } = await checkRecord(queries, id)
      toast({ id: 'claim-check', ...OUTCOMES[outcome] })
    })
  const resend = () =>
    press('step', 'Couldn’t send it again', async () => {
      await resendLink(queries, id)
      toast({ title: 'Sent again', description: 'Check your work email.' })
    })
  const withdraw = () =>
    press('withdraw', 'Couldn’t withdraw it', async () => {
      await withdrawClaim(queries, id)
      toast({ title: 'Claim withdrawn' })
      onGone()
    })
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {!isVerified && method === 'dns' && (
        <Button
          size="sm"
          variant="secondary"
          busy={busy === 'step'}
          busyLabel="Checking..."
          disabled={busy !== undefined}
          aria-label={busy ? undefined : `Check now: ${company.name}`}
          onClick={check}
        >
          Check now
        </Button>
      )}
      {!isVerified && method === 'mail' && (
        <Button
          size="sm"
          variant="secondary"
          busy={busy === 'step'}
          busyLabel="Sending..."
          disabled={busy !== undefined}
          aria-label={busy ? undefined : `Send again: ${company.name}`}
          onClick={resend}
        >
          Send again
        </Button>
      )}
      <Button
        size="sm"
        variant="ghost"
        busy={busy === 'withdraw'}
        disabled={busy !== undefined}
        aria-label={`Withdraw: ${company.name}`}
        onClick={withdraw}
        className={isVerified ? '-ml-3' : undefined}
      >
        Withdraw
      </Button>
    </div>
  )
}

function Acting({ claim, onGone }: { claim: MyClaim; onGone: () => void }) {
  const { flags } = useSite()
  const queries = { api: useApi<ClaimContract>(), queryClient: useQueryClient() }
  const [isLeaving, setLeaving] = useState(false)
  const { id, name } = claim.company
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-sm">
      {flags.enableDashboard && (
        <a
          href={`/dashboard?company=${id}`}
          aria-label={`Dashboard: ${name}`}
          className={`inline-flex min-h-10 items-center ${linkClasses}`}
        >
          Dashboard
        </a>
      )}
      {flags.enableJobs && (
        <a
          href={`/post-job?company=${id}`}
          aria-label={`Post a job at ${name}`}
          className={`inline-flex min-h-10 items-center ${linkClasses}`}
        >
          Post a job
        </a>
      )}
      <Button
        size="sm"
        variant="ghost"
        {...ConfirmDialog.preload}
        aria-label={`Stop acting for ${name}`}
        onClick={() => setLeaving(true)}
        className="-ml-3"
      >
        Stop acting for it
      </Button>
      <div className="w-full">
        <Checkbox
          label="Email me about new threads and notes, at most once a day"
          checked={claim.wantsNews}
          onChange={({ target }) => {
            const { checked } = target
            const title = checked
              ? `You’ll get emails about ${name}`
              : `No more emails about ${name}`
            chooseCompanyNews(queries, claim.id, checked).then(
              () => toast({ id: 'company-news', title }),
              reportError('Couldn’t save your choice'),
            )
          }}
        />
      </div>
      <ConfirmDialog
        open={isLeaving}
        onOpenChange={setLeaving}
        title={`Stop acting for ${name}?`}
        texts={{
          text: 'You lose access right away. Replies and jobs you posted for the company stay. You can claim it again later.',
          confirm: 'Stop acting for it',
          busy: 'Leaving...',
        }}
        act={() => withdrawClaim(queries, claim.id)}
        onDone={() => {
          toast({ title: `You no longer act for ${name}` })
          onGone()
        }}
      />
    </div>
  )
}

function DnsRecord({ record: { name, value } }: { record: { name: string; value: string } }) {
  return (
    <dl className="mt-3 grid gap-x-4 gap-y-1 rounded-md bg-sunken px-4 py-3 text-sm leading-6 sm:grid-cols-[auto_1fr]">
      <dt className="text-ink-faint">Type</dt>
      <dd className="text-ink">TXT</dd>
      <dt className="text-ink-faint">Name</dt>
      <dd className="wrap-anywhere text-ink">
        {name} <span className="text-ink-faint">(often shown as @)</span>
      </dd>
      <dt className="text-ink-faint">Value</dt>
      <dd className="flex min-w-0 items-start gap-2">
        <code className="min-w-0 text-[0.8125rem] leading-6 break-all text-ink">{value}</code>
        <IconButton
          label="Copy the value"
          onClick={() => copyText(value, 'Copied')}
          className="-my-2 -mr-3"
        >
          <Icon of={Copy} />
        </IconButton>
      </dd>
    </dl>
  )
}

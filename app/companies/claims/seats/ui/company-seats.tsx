/** Who acts for a company, shown below your claim. Its owner manages them here. Lazy. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { errorSentence, reportError } from '#app/kit/forms/refusal.ts'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { dateText } from '#app/kit/ui/format.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { workEmailProblem } from '../../claim.ts'
import type { Invitation, Seat, SeatContract } from '../seat.contract.ts'
import {
  acceptOwnership,
  endOffer,
  inviteColleague,
  offerOwnership,
  removeSeat,
  type SeatQueries,
  seatsQuery,
  withdrawInvitation,
} from '../seat.data.ts'
import { INVITATION_DAYS } from '../seat.ts'

const QUESTIONS = {
  remove: {
    title: (who: string) => `Remove ${who}’s seat?`,
    text: 'They lose access right away and get an email. What they wrote for the company stays.',
    confirm: 'Remove',
    busy: 'Removing...',
    done: (who: string) => `${who} no longer acts for the company`,
  },
  offer: {
    title: (who: string) => `Offer ownership to ${who}?`,
    text: 'They’ll get an email. Once they accept, they decide who acts for the company. You keep a seat.',
    confirm: 'Offer ownership',
    busy: 'Offering...',
    done: (who: string) => `Offered to ${who}`,
  },
  take: {
    title: (company: string) => `Take ownership of ${company}?`,
    text: 'You’ll decide who acts for the company, and you’re responsible for the people you invite.',
    confirm: 'Take ownership',
    busy: 'Taking over...',
    done: (company: string) => `You now own ${company}’s seats`,
  },
} as const

export function CompanySeats({ company }: { company: { id: string; name: string } }) {
  const api = useApi<SeatContract>()
  const queries = { api, queryClient: useQueryClient() }
  const { data, isError, refetch } = useQuery(seatsQuery(api, company.id))
  const heading = useRef<HTMLHeadingElement>(null)
  const comeBack = () => heading.current?.focus()
  const offered = data?.seats.find((seat) => seat.isMine && seat.isOffered)
  return (
    <section
      aria-labelledby={`seats-${company.id}`}
      className="mt-4 rounded-md bg-sunken px-4 py-4"
    >
      <h4
        id={`seats-${company.id}`}
        ref={heading}
        tabIndex={-1}
        className="text-sm font-semibold text-ink outline-none"
      >
        Who acts for it
        <span className="sr-only">{`: ${company.name}`}</span>
      </h4>
      <p className="mt-1 text-[0.8125rem] leading-5 text-ink-soft">
        {
          'Everyone here can reply, manage jobs and see the dashboard. Only they and administrators see this list.'
        }
        {data && !data.isOwner && ` The owner decides who acts for the company.`}
      </p>
      {!data && !isError && <Skeleton className="mt-3 h-12 w-full rounded-md" />}
      {!data && isError && <LoadErrorLine text="Couldn’t load the seats." onRetry={refetch} />}
      {offered && (
        <Offer seat={offered} company={company.name} queries={queries} onDone={comeBack} />
      )}
      {data && (
        <ul className="mt-3 divide-y divide-line border-y border-line">
          {data.seats.map((seat) => (
            <SeatRow
              key={seat.id}
              seat={seat}
              isManaged={data.isOwner && !seat.isMine}
              queries={queries}
              onGone={comeBack}
            />
          ))}
          {data.invitations.map((invitation) => (
            <InvitationRow
              key={invitation.id}
              invitation={invitation}
              queries={queries}
              onGone={comeBack}
            />
          ))}
        </ul>
      )}
      {data?.isOwner && <InviteForm company={company} />}
    </section>
  )
}

const rowClasses = 'flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 py-1.5 text-sm'

interface SeatRowProps {
  seat: Seat
  isManaged: boolean
  queries: SeatQueries
  onGone: () => void
}

function SeatRow({ seat, isManaged, queries, onGone }: SeatRowProps) {
  const { id, username, isMine, isOwner, isOffered } = seat
  const [isOpen, setOpen] = useState(false)
  // The dialog keeps its text while it closes.
  const [question, setQuestion] = useState<'remove' | 'offer'>('remove')
  const texts = QUESTIONS[question]
  const ask = (what: typeof question) => {
    setQuestion(what)
    setOpen(true)
  }
  return (
    <li className={rowClasses}>
      <span className="min-w-0 flex-1 wrap-anywhere text-ink">
        {username}
        {isMine && <span className="text-ink-faint"> (you)</span>}
      </span>
      {isOwner && <Badge tone="leaf">Owner</Badge>}
      {isOffered && <Badge tone="tea">Ownership offered</Badge>}
      {isManaged && (
        <span className="-mr-3 flex flex-wrap">
          {isOffered ? (
            <Button
              size="sm"
              variant="ghost"
              aria-label={`Withdraw the offer to ${username}`}
              onClick={() =>
                endOffer(queries, id).catch(reportError('Couldn’t withdraw the offer'))
              }
            >
              Withdraw
            </Button>
          ) : (
            <Button
              size="sm"
              variant="ghost"
              {...ConfirmDialog.preload}
              aria-label={`Make ${username} the owner`}
              onClick={() => ask('offer')}
            >
              Make owner
            </Button>
          )}
          <Button
            size="sm"
            variant="ghost"
            {...ConfirmDialog.preload}
            aria-label={`Remove ${username}`}
            onClick={() => ask('remove')}
          >
            Remove
          </Button>
          <ConfirmDialog
            open={isOpen}
            onOpenChange={setOpen}
            title={texts.title(username)}
            texts={texts}
            variant={question === 'remove' ? 'danger' : 'primary'}
            act={() =>
              question === 'remove' ? removeSeat(queries, id) : offerOwnership(queries, id)
            }
            onDone={() => {
              toast({ title: texts.done(username) })
              onGone()
            }}
          />
        </span>
      )}
    </li>
  )
}

function InvitationRow({ invitation, queries, onGone }: InvitationRowProps) {
  const { id, address, invitedOn } = invitation
  return (
    <li className={rowClasses}>
      <span className="min-w-0 flex-1 wrap-anywhere text-ink">
        {address}
        <span className="text-ink-faint">{`, invited ${dateText(invitedOn)}`}</span>
      </span>
      <Button
        size="sm"
        variant="ghost"
        className="-mr-3"
        aria-label={`Withdraw the invitation to ${address}`}
        onClick={() =>
          withdrawInvitation(queries, id).then(onGone, reportError('Couldn’t withdraw it'))
        }
      >
        Withdraw
      </Button>
    </li>
  )
}

interface InvitationRowProps {
  invitation: Invitation
  queries: SeatQueries
  onGone: () => void
}

function Offer({ seat, company, queries, onDone }: OfferProps) {
  const [isAsking, setAsking] = useState(false)
  const texts = QUESTIONS.take
  return (
    <div className="mt-3 rounded-md bg-tea-soft px-4 py-3">
      <p className="text-sm leading-6 text-ink">
        The owner has offered you ownership. You’d decide who acts for the company.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button size="sm" {...ConfirmDialog.preload} onClick={() => setAsking(true)}>
          Take ownership
        </Button>
        <Button
          size="sm"
          variant="ghost"
          onClick={() =>
            endOffer(queries, seat.id).then(onDone, reportError('Couldn’t decline the offer'))
          }
        >
          Decline
        </Button>
      </div>
      <ConfirmDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={texts.title(company)}
        texts={texts}
        variant="primary"
        act={() => acceptOwnership(queries, seat.id)}
        onDone={() => {
          toast({ title: texts.done(company) })
          onDone()
        }}
      />
    </div>
  )
}

interface OfferProps {
  seat: Seat
  company: string
  queries: SeatQueries
  onDone: () => void
}

function InviteForm({ company }: { company: { id: string } }) {
  const queries = { api: useApi<SeatContract>(), queryClient: useQueryClient() }
  const [email, setEmail] = useState('')
  const { form, errors, isBusy } = useForm<'email'>({
    check: () => ({ email: workEmailProblem(email) }),
    send: async () => {
      try {
        await inviteColleague(queries, company.id, email)
      } catch (error) {
        return { form: errorSentence(error) }
      }
      setEmail('')
      toast({ title: 'Invitation sent' })
    },
  })
  return (
    <form {...form} className="mt-4 grid gap-3">
      <FormError>{errors.form}</FormError>
      <EmailField
        label="A colleague’s email"
        hint={`They have ${INVITATION_DAYS} days to accept, from an account with this address. You’re responsible for the people you invite.`}
        name="colleague"
        isOther
        value={email}
        onValue={setEmail}
        error={errors.email}
      />
      <div>
        <Button type="submit" size="sm" variant="secondary" busy={isBusy} busyLabel="Inviting...">
          Invite
        </Button>
      </div>
    </form>
  )
}

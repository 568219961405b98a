/** What this browser gave, with change and remove. */
import { useState } from 'react'
import { sendAgain } from '#app/identity/credentials/rated.data.ts'
import { ConfirmDialog } from '#app/kit/forms/confirm-dialog.tsx'
import { useSessionKey } from '#app/kit/session/session.data.ts'
import { SiteLink } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { EmptyState } from '#app/kit/ui/message.tsx'
import { amountText } from '#app/kit/writing/currencies.ts'
import { areaName } from '../areas.ts'
import { type OwnPay, removeOwnPay, useOwnPay } from '../own-pay.data.ts'
import { titleName } from '../titles.ts'

/** This list comes from what this browser remembers. The site doesn't know it. */
export function MyPay() {
  const listed = useOwnPay(useSessionKey())
  if (listed.length === 0)
    return (
      <EmptyState
        title="No pay on this device"
        text="What you give on a company’s Pay tab shows up here. Only this browser lists it, because the site never tells what one person earns."
        action={
          <a href="/companies" className={buttonClasses('secondary')}>
            Browse companies
          </a>
        }
      />
    )
  return (
    <>
      <p className="mb-4 text-sm text-ink-soft">Only this browser knows this list.</p>
      <OwnPayList listed={listed} isOfAll />
    </>
  )
}

export const OwnPayList = ({
  listed,
  isOfAll = false,
}: {
  listed: OwnPay[]
  isOfAll?: boolean
}) => (
  <ul aria-label="Your pay" className="divide-y divide-line border-y border-line">
    {listed.map((it) => (
      <Line key={it.subject} own={it} isOfAll={isOfAll} />
    ))}
  </ul>
)

function Line({ own, isOfAll }: { own: OwnPay; isOfAll: boolean }) {
  const sessionKey = useSessionKey()
  const [isAsked, setAsked] = useState(false)
  const { company, year, pay, outgoing, subject, formerIds } = own
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 py-4">
      <div className="min-w-0 flex-1 basis-64 text-sm leading-6 text-ink-soft">
        {isOfAll && (
          <SiteLink
            href={`${company.path}?tab=pay`}
            dir="auto"
            className="block font-serif text-xl leading-7 font-medium text-ink underline-offset-4 hover:underline"
          >
            {company.name}
          </SiteLink>
        )}
        <p className="font-medium text-ink">
          {pay
            ? `${year}: ${amountText(pay.base + pay.bonus + pay.equity, pay.currency)}`
            : `${year}`}
        </p>
        {pay && <p>{`${titleName(pay.title)}, ${areaName(pay.area)}`}</p>}
        <p role="status" className={outgoing?.problem ? 'text-danger' : undefined}>
          {stateOf(own)}
        </p>
      </div>
      <div className="flex gap-2">
        {outgoing?.problem && (
          <Button variant="secondary" size="sm" onClick={() => sendAgain(sessionKey, subject)}>
            Try again
          </Button>
        )}
        {pay && (
          <>
            <a
              href={`${company.path}?tab=pay&give=yes&year=${year}`}
              rel="nofollow"
              className={buttonClasses('secondary', 'sm')}
            >
              Change
              <span className="sr-only">{` your pay of ${year} at ${company.name}`}</span>
            </a>
            <Button
              variant="ghost"
              size="sm"
              aria-label={`Remove your pay of ${year} at ${company.name}`}
              {...ConfirmDialog.preload}
              onClick={() => setAsked(true)}
            >
              Remove
            </Button>
          </>
        )}
      </div>
      <ConfirmDialog
        open={isAsked}
        onOpenChange={setAsked}
        title="Remove your pay?"
        texts={REMOVAL}
        act={async () => removeOwnPay({ company, sessionKey, formerIds }, year)}
      />
    </li>
  )
}

const REMOVAL = {
  text: 'We delete it within two minutes. It stops counting at the next update, along with other people’s changes.',
  confirm: 'Remove pay',
  busy: 'Removing...',
  cancel: 'Keep it',
}

function stateOf({ outgoing, pay }: OwnPay) {
  if (outgoing?.problem) return `Not sent: ${outgoing.problem}`
  if (!outgoing) return 'Sent. It counts once at least five people’s changes are in.'
  return pay
    ? 'Sending… Your browser picks a moment within two minutes, so no one can tell it’s you.'
    : 'Removing…'
}

/** For someone whose other device gave their pay. */
export const RemoveElsewhere = ({ onRemove }: { onRemove: () => void }) => (
  <p className="text-sm leading-6 text-ink-soft">
    Gave your pay on another device?{' '}
    <button type="button" className={linkClasses} onClick={onRemove}>
      Remove it from here
    </button>
  </p>
)

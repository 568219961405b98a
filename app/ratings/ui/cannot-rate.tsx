/** Why a signed-in person can't rate, in the server's words, and what helps. */
import { Info, MailCheck } from 'lucide'
import { useResend } from '#app/identity/accounts/sign-in/own-sign-in.data.ts'
import type { Me } from '#app/kit/session/session.contract.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'

export function CannotRate({ why, email }: CannotRateProps) {
  const { isBusy, resend } = useResend(email ?? '')
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3">
      <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-sm leading-6 text-ink">
        <Icon
          of={why.code === 'unconfirmed' ? MailCheck : Info}
          className="mt-1 size-4 shrink-0 text-tea-strong"
        />
        <span>
          {why.message}
          {why.code !== 'employer-not-allowed' && (
            <span className="block">Your ratings will be waiting here.</span>
          )}
        </span>
      </p>
      {why.code === 'unconfirmed' && email && (
        <Button variant="secondary" size="sm" busy={isBusy} busyLabel="Sending..." onClick={resend}>
          Resend confirmation
        </Button>
      )}
    </div>
  )
}

interface CannotRateProps {
  why: NonNullable<Me['whyNotRate']>
  email: string | null | undefined
}

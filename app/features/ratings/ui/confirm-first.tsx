/** Why somebody who is signed in cannot rate, and what helps. */
import { MailCheck } from 'lucide'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import type { Me } from '../../accounts/account.contract.ts'
import { useResend } from '../../accounts/sign-in/ui/use-resend.ts'

export function ConfirmFirst({ me }: { me: Me | undefined }) {
  const { isBusy, resend } = useResend(me?.email ?? '')
  const isUnconfirmed = me?.isEmailConfirmed === false
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3">
      <p className="flex min-w-0 flex-1 basis-64 gap-2.5 text-sm leading-6 text-ink">
        <Icon of={MailCheck} className="mt-1 size-4 shrink-0 text-tea-strong" />
        {isUnconfirmed
          ? 'Please confirm your e-mail first: the link is in the mail that we sent you. What you choose here stays until then.'
          : 'Employers do not rate here.'}
      </p>
      {isUnconfirmed && me?.email && (
        <Button variant="secondary" size="sm" busy={isBusy} busyLabel="Sending..." onClick={resend}>
          Resend confirmation
        </Button>
      )}
    </div>
  )
}

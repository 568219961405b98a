/** Why a signed-in person can't rate, in the server's words, and what helps. */
import { Info } from 'lucide'
import { ConfirmFirst } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import type { Me } from '#app/kit/session/session.contract.ts'
import { Icon } from '#app/kit/ui/icon.tsx'

/** Put it beside the form, because it can hold one itself. */
export function CannotRate({ why, me }: CannotRateProps) {
  if (why.code === 'unconfirmed')
    return <ConfirmFirst me={me}>Then you can send what you choose here.</ConfirmFirst>
  return (
    <p className="flex gap-2.5 rounded-lg border border-tea/30 bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
      <Icon of={Info} className="mt-1 size-4 shrink-0 text-tea-strong" />
      <span>
        {why.message}
        {why.code !== 'employer-not-allowed' && (
          <span className="block">Your ratings will be waiting here.</span>
        )}
      </span>
    </p>
  )
}

interface CannotRateProps {
  why: NonNullable<Me['whyNotRate']>
  me: Pick<Me, 'email' | 'newEmail'>
}

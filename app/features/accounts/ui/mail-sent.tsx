/** The view after a mail went out: what it holds, and what to do when it does not come. Spec §2.4. */
import { MailCheck } from 'lucide'
import { useEffect, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { toast } from '../../../ui/toast.ts'
import { resendConfirmation } from '../sign-in.data.ts'
import type { AuthFormProps, AuthView } from './auth-view.ts'
import { ViewLink } from './view-link.tsx'

export function MailSent({ email, onView, view }: AuthFormProps & { view: AuthView }) {
  const isReset = view === 'sent'
  const text = useRef<HTMLParagraphElement>(null)
  const [isBusy, setBusy] = useState(false)
  // What it stood on is gone; a screen reader goes on here.
  useEffect(() => text.current?.focus(), [])
  const resend = async () => {
    setBusy(true)
    const problem = await resendConfirmation(email.trim())
    setBusy(false)
    toast(
      problem
        ? { title: 'Sending failed', description: problem.message, variant: 'destructive' }
        : { title: 'Confirmation email sent', description: 'Check your inbox for the link.' },
    )
  }
  return (
    <div className="grid gap-5">
      <div className="flex gap-4 rounded-lg bg-leaf-soft p-4">
        <Icon of={MailCheck} className="mt-0.5 size-5 shrink-0 text-leaf" />
        <p ref={text} tabIndex={-1} className="text-sm leading-6 text-ink outline-none">
          {isReset ? 'If there is an account for ' : 'We sent a link to '}
          <strong className="font-semibold">{email.trim()}</strong>
          {isReset
            ? ', a link to reset its password is on its way. It works once, for an hour.'
            : '. Follow it to confirm the address, and you are in.'}
        </p>
      </div>
      <p className="text-sm leading-6 text-ink-soft">
        Nothing there after a minute? Look among the spam, or try again.
      </p>
      {isReset ? (
        <Button variant="secondary" size="lg" onClick={() => onView('forgot-password')}>
          Try again
        </Button>
      ) : (
        <Button variant="secondary" size="lg" busy={isBusy} busyLabel="Sending..." onClick={resend}>
          Send it again
        </Button>
      )}
      <p className="-my-2 text-center">
        <ViewLink onPress={() => onView('login')}>Back to login</ViewLink>
      </p>
    </div>
  )
}

/** The view after a mail went out: what it holds, and what to do when it does not come. Spec §2.4. */
import { MailCheck } from 'lucide'
import { useEffect, useRef } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { VIEW_LINKS } from '../auth-texts.ts'
import type { AuthFormProps, AuthView } from './auth-view.ts'
import { useResend } from './use-resend.ts'
import { ViewLink } from './view-link.tsx'

export function MailSent({ email, onView, view }: AuthFormProps & { view: AuthView }) {
  const isReset = view === 'sent'
  const text = useRef<HTMLParagraphElement>(null)
  const { isBusy, resend } = useResend(email.trim())
  // What it stood on is gone; a screen reader goes on here.
  useEffect(() => text.current?.focus(), [])
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
        <ViewLink onPress={() => onView('login')}>{VIEW_LINKS.back}</ViewLink>
      </p>
    </div>
  )
}

/** What people see wherever something waits until they confirm their address. */
import { MailCheck } from 'lucide'
import { type ReactNode, useEffect, useRef } from 'react'
import type { Me } from '#app/kit/session/session.contract.ts'
import { noteSignUpPage } from '#app/kit/session/sign-up-page.ts'
import { useReach } from '#app/kit/session/site.tsx'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { MAIL_CODE } from '#app/kit/writing/mail-code.ts'
import { confirmByCode, useResend } from '../own-sign-in.data.ts'
import { CodeForm } from './code-form.tsx'

/** Takes the email's code, or sends another email. @param children other ways out, beside "Send it again" */
export function ConfirmEmail({ email, onDone, hasFocus = false, children }: ConfirmEmailProps) {
  const { isBusy, resend } = useResend(email)
  return (
    <div className="grid gap-5">
      <MailSent>
        We sent an email to <strong className="font-semibold">{email}</strong>. Open its link, or
        enter its code here.
      </MailSent>
      <CodeForm
        kind={MAIL_CODE}
        label="Confirm my email"
        verify={(code) => confirmByCode(email, code)}
        onDone={() => {
          toast({ id: 'email-confirmed', title: 'Your email is confirmed' })
          onDone?.()
        }}
        hasFocus={hasFocus}
      />
      <p className="text-sm leading-6 text-ink-soft">
        Still nothing after a minute? Check your spam folder and the address.
      </p>
      <div className="grid gap-3 sm:grid-cols-2">
        <Button variant="secondary" busy={isBusy} busyLabel="Sending..." onClick={resend}>
          Send it again
        </Button>
        {children}
      </div>
    </div>
  )
}

/** For someone signed in. @param children what they can do afterwards */
export function ConfirmFirst({ me: { email, newEmail }, children }: ConfirmFirstProps) {
  const settings = useReach()('/settings')
  // The email's link leads back here.
  useEffect(noteSignUpPage, [])
  const change = settings && (
    <a href={`${settings}#account`} className={buttonClasses('secondary')}>
      Change the address
    </a>
  )
  return (
    <section
      id={CONFIRM_FIRST}
      aria-labelledby={`${CONFIRM_FIRST}-title`}
      className="scroll-mt-24 rounded-xl border border-line bg-surface p-5 md:p-6"
    >
      <h2 id={`${CONFIRM_FIRST}-title`} className="font-serif text-2xl leading-8 font-medium">
        Confirm your email first
      </h2>
      <p className="mt-1 mb-4 text-sm leading-6 text-ink-soft">{children}</p>
      {newEmail ? (
        <div className="grid justify-items-start gap-5">
          <MailSent>
            We sent a link to <strong className="font-semibold">{newEmail}</strong>. Open it.
          </MailSent>
          {change}
        </div>
      ) : (
        email && <ConfirmEmail email={email}>{change}</ConfirmEmail>
      )}
    </section>
  )
}

const CONFIRM_FIRST = 'confirm-first'

/** In place of what would be refused, further down the page. */
export const ToConfirmFirst = () => (
  <Button
    size="lg"
    onClick={() => {
      const panel = document.getElementById(CONFIRM_FIRST)
      panel?.scrollIntoView({ block: 'start' })
      panel?.querySelector<HTMLElement>('input, a')?.focus({ preventScroll: true })
    }}
  >
    Confirm your email first
  </Button>
)

/** @param hasFocus takes the focus, because the focused control is gone */
export function MailSent({
  children,
  hasFocus = false,
}: {
  children: ReactNode
  hasFocus?: boolean
}) {
  const text = useRef<HTMLParagraphElement>(null)
  useEffect(() => {
    if (hasFocus) text.current?.focus()
  }, [hasFocus])
  return (
    <div className="flex gap-4 rounded-lg bg-leaf-soft p-4">
      <Icon of={MailCheck} className="mt-0.5 size-5 shrink-0 text-leaf" />
      <p ref={text} role="status" tabIndex={-1} className="text-sm leading-6 text-ink outline-none">
        {children}
      </p>
    </div>
  )
}

interface ConfirmEmailProps {
  email: string
  onDone?: () => void
  hasFocus?: boolean
  children?: ReactNode
}

interface ConfirmFirstProps {
  me: Pick<Me, 'email' | 'newEmail'>
  children: ReactNode
}

import { useState } from 'react'
import { PASSWORD_MIN, PASSWORD_MIN_ADMIN } from '#app/identity/accounts/account.ts'
import { emailProblem, resetProblems } from '#app/identity/accounts/sign-in/email-and-password.ts'
import { changePassword } from '#app/identity/accounts/sign-in/own-sign-in.data.ts'
import { changeEmail } from '#app/identity/accounts/sign-in/sign-in.data.ts'
import { ConfirmEmail } from '#app/identity/accounts/sign-in/ui/confirm-email.tsx'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import type { Member } from '#app/kit/session/members-only.tsx'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { Badge } from '#app/kit/ui/badge.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { PasswordField, WhosePassword } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'

export function AccountSettings({ me }: { me: Member }) {
  const { email, newEmail, isEmailConfirmed } = me
  const [isChanging, setChanging] = useState(false)
  return (
    <SettingsSection
      id="account"
      title="Account"
      text="Your email is stored encrypted, and only you can see it."
    >
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <p className="text-sm font-medium text-ink">Email</p>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink">
            {email ?? 'None'}
            {email && (
              <Badge tone={isEmailConfirmed ? 'leaf' : 'tea'}>
                {isEmailConfirmed ? 'Confirmed' : 'Not confirmed'}
              </Badge>
            )}
          </p>
        </div>
        {!isChanging && (
          <Button variant="secondary" onClick={() => setChanging(true)}>
            Change email
          </Button>
        )}
      </div>
      {email && !isEmailConfirmed && !newEmail && (
        <div className="mt-4 border-t border-line pt-4">
          <ConfirmEmail email={email} />
        </div>
      )}
      {newEmail && (
        <p className="mt-4 rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
          <strong className="font-semibold">{newEmail}</strong> isn’t confirmed yet. Open the link
          we sent there. Until then, we’ll keep using the old address.
        </p>
      )}
      {isChanging && <EmailForm onClose={() => setChanging(false)} />}
    </SettingsSection>
  )
}

function EmailForm({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState('')
  const { form, errors, isBusy } = useForm<'email'>({
    check: () => ({ email: emailProblem(email) }),
    send: async () => {
      const problem = await changeEmail(email.trim())
      if (problem) return { form: problem.message }
      toast({
        title: 'Confirm your new email',
        description: `We sent a link to ${email.trim()}.`,
      })
      onClose()
    },
  })
  return (
    <form {...form} className="mt-5 grid gap-4 border-t border-line pt-5">
      <FormError>{errors.form}</FormError>
      <EmailField
        label="New email"
        value={email}
        onValue={setEmail}
        error={errors.email}
        hasFocus
      />
      <p className="text-sm leading-6 text-ink-soft">
        We’ll send a link to the new address. Open it to make the change.
      </p>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} busyLabel="Sending...">
          Send link
        </Button>
        <Button variant="ghost" onClick={onClose}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Spec §5. */
export function PasswordSettings({ me: { email, can } }: { me: Member }) {
  const least = can.includes('moderate') ? PASSWORD_MIN_ADMIN : PASSWORD_MIN
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const { form, errors, isBusy } = useForm<'password' | 'again'>({
    check: () => resetProblems(password, again, least),
    send: async () => {
      const problem = await changePassword(password)
      if (problem)
        return problem.password ? { password: problem.password } : { form: problem.message }
      setPassword('')
      setAgain('')
      toast({ title: 'Password changed', description: 'We signed out your other devices.' })
    },
  })
  return (
    <SettingsSection
      id="password"
      title="Password"
      text="Changing it signs out your other devices."
    >
      <form {...form} className="grid gap-4">
        <FormError>{errors.form}</FormError>
        <WhosePassword email={email} />
        <div className="grid items-start gap-4 md:grid-cols-2">
          <PasswordField
            label="New password"
            name="password"
            autoComplete="new-password"
            hint={`At least ${least} characters`}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            error={errors.password}
          />
          <PasswordField
            label="New password again"
            name="password-again"
            autoComplete="new-password"
            value={again}
            onChange={(event) => setAgain(event.target.value)}
            error={errors.again}
          />
        </div>
        <Button
          type="submit"
          variant="secondary"
          busy={isBusy}
          busyLabel="Changing..."
          className="justify-self-start"
        >
          Change password
        </Button>
      </form>
    </SettingsSection>
  )
}

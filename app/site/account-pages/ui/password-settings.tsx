/** Spec §5. */
import { useState } from 'react'
import { PASSWORD_MIN, PASSWORD_MIN_ADMIN } from '#app/identity/accounts/account.ts'
import { resetProblems } from '#app/identity/accounts/sign-in/credential.ts'
import { changePassword } from '#app/identity/accounts/sign-in/own-sign-in.data.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import type { Member } from '#app/kit/session/members-only.tsx'
import { SettingsSection } from '#app/kit/session/settings.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { PasswordField, WhosePassword } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'

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

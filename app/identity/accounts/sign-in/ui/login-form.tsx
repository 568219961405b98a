import { useState } from 'react'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { PasswordField } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { FAILED, LOGIN, SIGNED_IN, VIEW_LINKS } from '../auth-texts.ts'
import { emailProblem } from '../credential.ts'
import { signIn } from '../sign-in.data.ts'
import type { AuthFormProps } from './auth-view.ts'
import { EmailField } from './email-field.tsx'
import { ViewLink } from './view-link.tsx'

export function LoginForm({ email, onEmail, onView, onDone }: AuthFormProps) {
  const [password, setPassword] = useState('')
  const { form, errors, isBusy } = useForm<'email' | 'password'>({
    check: () => ({
      email: emailProblem(email),
      password: password === '' ? 'Please enter your password' : undefined,
    }),
    send: async () => {
      const { problem, weakness, isHalf } = await signIn(email.trim(), password)
      if (problem) {
        const { message, code } = problem
        toast({ title: FAILED.signIn, description: message, variant: 'destructive' })
        // That view can send the link again.
        if (code === 'email_not_confirmed') return onView('waiting')
        return { form: message }
      }
      if (!isHalf) toast(SIGNED_IN)
      if (weakness)
        toast({ title: 'Please change your password in Settings', description: weakness })
      // Otherwise the dialog continues with the second step.
      if (!isHalf) onDone()
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <div className="grid gap-0.5">
        <PasswordField
          label="Password"
          name="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
          error={errors.password}
        />
        <div className="-mb-2 text-right">
          <ViewLink onPress={() => onView('forgot-password')}>{LOGIN.forgot}</ViewLink>
        </div>
      </div>
      <Button type="submit" size="lg" busy={isBusy} busyLabel={LOGIN.busy}>
        Sign in
      </Button>
      <p className="-my-2 flex flex-wrap items-center justify-center gap-x-1.5 text-sm text-ink-soft">
        New here?
        <ViewLink onPress={() => onView('signup')}>{VIEW_LINKS.signup}</ViewLink>
      </p>
    </form>
  )
}

/** Spec §2.4, §5, §8. */
import { useState } from 'react'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { linkLook } from '#app/kit/ui/looks.ts'
import { PasswordField } from '#app/kit/ui/password-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { FAILED, SIGNUP, signedUp, VIEW_LINKS } from '../auth-texts.ts'
import { emailProblem, newPasswordProblem } from '../credential.ts'
import { signUp } from '../sign-in.data.ts'
import type { AuthFormProps } from './auth-view.ts'
import { EmailField } from './email-field.tsx'
import { ViewLink } from './view-link.tsx'

export function SignupForm({ email, onEmail, onView, onDone }: AuthFormProps) {
  const { siteName } = useSite()
  const [password, setPassword] = useState('')
  const { form, errors, isBusy } = useForm<'email' | 'password'>({
    check: () => ({ email: emailProblem(email), password: newPasswordProblem(password) }),
    send: async () => {
      const { problem, isWaiting } = await signUp(email.trim(), password)
      if (problem) {
        const { message } = problem
        toast({ title: FAILED.signUp, description: message, variant: 'destructive' })
        return problem.password ? { password: problem.password } : { form: message }
      }
      toast(signedUp(siteName))
      if (isWaiting) onView('waiting')
      else onDone()
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <PasswordField
        label="Password"
        name="password"
        placeholder={SIGNUP.password}
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
        error={errors.password}
      />
      <div className="rounded-md bg-sunken px-4 py-3 text-sm leading-6 text-ink-soft">
        <p>
          We only use your email to confirm your account and reset your password. It’s stored
          encrypted and never shown. Your employer can’t see it here, or that you joined.
        </p>
      </div>
      <Button type="submit" size="lg" busy={isBusy} busyLabel={SIGNUP.busy}>
        Create account
      </Button>
      <p className="text-center text-xs leading-5 text-ink-faint">
        By joining, you confirm that you’re at least 13 and agree to the{' '}
        <a href="/terms" target="_blank" rel="noopener" className={linkLook}>
          Terms of Service
        </a>{' '}
        and the{' '}
        <a href="/privacy" target="_blank" rel="noopener" className={linkLook}>
          Privacy Policy
        </a>
        .
      </p>
      <p className="-my-2 flex flex-wrap items-center justify-center gap-x-1.5 text-sm text-ink-soft">
        Already have an account?
        <ViewLink onPress={() => onView('login')}>{VIEW_LINKS.login}</ViewLink>
      </p>
      <p className="border-t border-line pt-4 text-xs leading-5 text-ink-faint">
        {SIGNUP.forCompany}
      </p>
    </form>
  )
}

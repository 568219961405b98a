/** The forgot-password view of the auth dialog. Spec §2.4, §8. */

import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { FAILED, FORGOT_PASSWORD, RESET_SENT, VIEW_LINKS } from '../auth-texts.ts'
import { emailProblem } from '../credential.ts'
import { requestReset } from '../recovery.data.ts'
import type { AuthFormProps } from './auth-view.ts'
import { EmailField } from './email-field.tsx'
import { ViewLink } from './view-link.tsx'

export function ForgotPasswordForm({ email, onEmail, onView }: AuthFormProps) {
  const { form, errors, isBusy } = useForm<'email'>({
    check: () => ({ email: emailProblem(email) }),
    send: async () => {
      const problem = await requestReset(email.trim())
      if (problem) {
        const { message } = problem
        toast({ title: FAILED.reset, description: message, variant: 'destructive' })
        return { form: message }
      }
      toast(RESET_SENT)
      onView('sent')
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <Button type="submit" size="lg" busy={isBusy} busyLabel={FORGOT_PASSWORD.busy}>
        Send reset link
      </Button>
      <p className="-my-2 text-center">
        <ViewLink onPress={() => onView('login')}>{VIEW_LINKS.back}</ViewLink>
      </p>
    </form>
  )
}

/** The forgot-password view of the auth dialog. Spec §2.4, §8. */
import { Button } from '../../../ui/button.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { emailProblem } from '../credential.ts'
import { requestReset } from '../recovery.data.ts'
import type { AuthFormProps } from './auth-view.ts'
import { EmailField } from './email-field.tsx'
import { FormError } from './form-error.tsx'
import { ViewLink } from './view-link.tsx'

export function ForgotPasswordForm({ email, onEmail, onView }: AuthFormProps) {
  const { form, errors, isBusy } = useForm<'email'>({
    check: () => ({ email: emailProblem(email) }),
    send: async () => {
      const problem = await requestReset(email.trim())
      if (problem) {
        const { message } = problem
        toast({ title: 'Password reset failed', description: message, variant: 'destructive' })
        return { form: message }
      }
      toast({
        title: 'Password reset email sent',
        description: 'Check your inbox for a link to reset your password.',
      })
      onView('sent')
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <FormError>{errors.form}</FormError>
      <EmailField value={email} onValue={onEmail} error={errors.email} hasFocus />
      <Button type="submit" size="lg" busy={isBusy} busyLabel="Sending...">
        Send reset link
      </Button>
      <p className="-my-2 text-center">
        <ViewLink onPress={() => onView('login')}>Back to login</ViewLink>
      </p>
    </form>
  )
}

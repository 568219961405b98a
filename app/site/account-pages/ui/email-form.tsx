/** Another e-mail for the account. Loads when it is asked for. */
import { useState } from 'react'
import { emailProblem } from '#app/identity/accounts/sign-in/credential.ts'
import { changeEmail } from '#app/identity/accounts/sign-in/sign-in.data.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'

export function EmailForm({ onClose }: { onClose: () => void }) {
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
        A link goes to the new address. It counts once you have followed it.
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

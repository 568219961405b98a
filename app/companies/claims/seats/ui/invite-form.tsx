/** The owner of a company's seats invites a colleague by e-mail. */
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { useForm } from '#app/kit/forms/use-form.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { workEmailProblem } from '../../claim.ts'
import type { SeatContract } from '../seat.contract.ts'
import { inviteColleague } from '../seat.data.ts'
import { SEAT_TEXTS } from '../seat-texts.ts'

export function InviteForm({ company }: { company: { id: string } }) {
  const queries = { api: useApi<SeatContract>(), queryClient: useQueryClient() }
  const [email, setEmail] = useState('')
  const { form, errors, isBusy } = useForm<'email'>({
    check: () => ({ email: workEmailProblem(email) }),
    send: async () => {
      try {
        await inviteColleague(queries, company.id, email)
      } catch (error) {
        return { form: refusalOf(error) }
      }
      setEmail('')
      toast(SEAT_TEXTS.invited)
    },
  })
  return (
    <form {...form} className="mt-4 grid gap-3">
      <FormError>{errors.form}</FormError>
      <EmailField
        label={SEAT_TEXTS.email}
        hint={SEAT_TEXTS.hint}
        name="colleague"
        isOther
        value={email}
        onValue={setEmail}
        error={errors.email}
      />
      <div>
        <Button
          type="submit"
          size="sm"
          variant="secondary"
          busy={isBusy}
          busyLabel={SEAT_TEXTS.inviting}
        >
          {SEAT_TEXTS.invite}
        </Button>
      </div>
    </form>
  )
}

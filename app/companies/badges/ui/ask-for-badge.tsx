import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import type { CompanyContract } from '../../company.contract.ts'
import { companyQuery } from '../../company.data.ts'
import { CompanyPicker, type PickedCompany } from '../../ui/company-picker.tsx'
import type { BadgeContract } from '../badge.contract.ts'
import { badgeEmailProblem } from '../badge.ts'
import { BADGE_FORM } from '../badge-texts.ts'

/** @param companyId preselected */
export function AskForBadge({ companyId }: { companyId: string }) {
  const api = useApi<BadgeContract & CompanyContract>()
  const [picked, setPicked] = useState<PickedCompany | null>()
  const [email, setEmail] = useState('')
  const [sentTo, setSentTo] = useState<string>()
  const meant = useQuery({ ...companyQuery(api, companyId), enabled: companyId !== '' })
  const company = picked === undefined ? (meant.data ?? null) : picked
  const { form, errors, isBusy } = useForm<'company' | 'email'>({
    check: () => ({
      company: company ? undefined : BADGE_FORM.noCompany,
      email: badgeEmailProblem(email),
    }),
    send: async () => {
      if (!company) return
      const { domain } = await api('POST /api/v1/my/badge', {
        body: { companyId: company.id, email: email.trim() },
      })
      setSentTo(domain)
    },
  })
  if (sentTo)
    return (
      <div role="status" className="rounded-xl border border-line bg-surface p-5 md:p-6">
        <h2 className="font-serif text-2xl font-medium tracking-tight text-ink">
          {BADGE_FORM.sent}
        </h2>
        <p className="mt-2 text-sm leading-6 text-ink-soft">{BADGE_FORM.sentText(sentTo)}</p>
        <Button variant="secondary" className="mt-4" onClick={() => setSentTo(undefined)}>
          Use another address
        </Button>
      </div>
    )
  return (
    <form {...form} className="grid gap-5 rounded-xl border border-line bg-surface p-5 md:p-6">
      <div>
        <CompanyPicker
          legend="Company"
          placeholder="Where do you work?"
          company={company}
          isLoading={meant.isLoading}
          onPick={setPicked}
        />
        {errors.company && <p className="mt-1.5 text-sm text-danger">{errors.company}</p>}
      </div>
      <EmailField
        label={BADGE_FORM.email}
        hint={BADGE_FORM.emailHint}
        name="work-email"
        isOther
        value={email}
        onValue={setEmail}
        error={errors.email}
      />
      <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
        {BADGE_FORM.warning}
      </p>
      <FormError>{errors.form}</FormError>
      <Button
        type="submit"
        busy={isBusy}
        busyLabel={BADGE_FORM.sending}
        className="justify-self-start"
      >
        {BADGE_FORM.send}
      </Button>
    </form>
  )
}

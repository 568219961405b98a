import { useQuery, useQueryClient } from '@tanstack/react-query'
import { X } from 'lucide'
import { useEffect, useId, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { EmailField } from '#app/identity/accounts/sign-in/ui/email-field.tsx'
import { NoteField } from '#app/kit/forms/act-fields.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { Button, CancelButton, IconButton } from '#app/kit/ui/button.tsx'
import { Choice } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyContract, CompanySuggestion } from '../../company.contract.ts'
import { companyQuery } from '../../company.data.ts'
import { CompanyLogo } from '../../logos/ui/company-logo.tsx'
import { CompanyBox } from '../../ui/company-picker.tsx'
import type { ClaimContract } from '../claim.contract.ts'
import { CLAIM_NOTE_MAX, type ClaimMethod, claimProblems } from '../claim.ts'
import { claimCompany } from '../claim-actions.data.ts'

interface ClaimFormProps {
  /** Preselected. */
  companyId?: string
  /** Called when the claim was sent or canceled. */
  onClose: () => void
}

export function ClaimForm({ companyId, onClose }: ClaimFormProps) {
  const api = useApi<ClaimContract & CompanyContract>()
  const queryClient = useQueryClient()
  const meant = useQuery({
    ...companyQuery(api, companyId ?? ''),
    enabled: companyId !== undefined,
  })
  const [picked, setCompany] = useState<ChosenCompany | null>()
  const company = picked === undefined ? (meant.data ?? null) : picked
  const [method, setMethod] = useState<ClaimMethod>('mail')
  const [workEmail, setWorkEmail] = useState('')
  const [note, setNote] = useState('')
  const companyBox = useRef<HTMLDivElement>(null)
  useEffect(() => {
    companyBox.current?.querySelector<HTMLElement>('input')?.focus()
  }, [])
  const { form, errors, isBusy } = useForm<'company' | 'workEmail' | 'note'>({
    check: () => {
      if (company) return claimProblems({ method, workEmail, note })
      // The search box has no `aria-invalid`, so useForm wouldn't focus it.
      companyBox.current?.querySelector<HTMLElement>('input')?.focus()
      return { company: 'Please choose a company' }
    },
    send: async () => {
      if (!company) return
      try {
        await claimCompany({ api, queryClient }, company.id, { method, workEmail, note })
      } catch (error) {
        return { form: errorSentence(error) }
      }
      toast(
        method === 'mail'
          ? { title: 'Check your work email', description: 'Open the link in it and confirm.' }
          : { title: 'One step left', description: 'Add the TXT record shown below.' },
      )
      onClose()
    },
  })
  return (
    <form {...form} className="grid gap-5">
      <p className="rounded-md bg-tea-soft px-4 py-3 text-sm leading-6 text-ink">
        {/* Says what a claim costs before people make one. */}
        An account that acts for a company reads and replies as the company. It can’t post, vote or
        rate as a person. Use a separate account for work.
      </p>
      <FormError>{errors.form}</FormError>
      <div ref={companyBox}>
        <CompanyChoice company={company} onPick={setCompany} error={errors.company} />
      </div>
      <fieldset>
        <legend className="text-sm font-medium text-ink">
          How can you show that you belong to it?
        </legend>
        <div className="mt-2 grid gap-3 sm:grid-cols-2">
          <Choice
            name="claim-method"
            value="mail"
            isChosen={method === 'mail'}
            onChoose={() => setMethod('mail')}
            title="By work email"
            text="We send a link to your address at the company’s domain."
          />
          <Choice
            name="claim-method"
            value="dns"
            isChosen={method === 'dns'}
            onChoose={() => setMethod('dns')}
            title="By DNS record"
            text="You add a TXT record to the domain of the company’s website."
          />
        </div>
      </fieldset>
      {method === 'mail' && (
        <EmailField
          label="Work email"
          hint="We keep it encrypted until we decide. Others see at most its first letter."
          name="work-email"
          isOther
          value={workEmail}
          onValue={setWorkEmail}
          error={errors.workEmail}
        />
      )}
      <NoteField
        label="Note for the administrators (optional)"
        hint="What you do at the company, for example."
        note={note}
        onChange={setNote}
        max={CLAIM_NOTE_MAX}
        error={errors.note}
      />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} busyLabel="Sending...">
          Send claim
        </Button>
        <CancelButton variant="ghost" onCancel={onClose}>
          Cancel
        </CancelButton>
      </div>
    </form>
  )
}

function CompanyChoice({ company, onPick, error }: CompanyChoiceProps) {
  const id = useId()
  const box = useRef<HTMLDivElement>(null)
  const shown = useRef(company)
  useEffect(() => {
    if (shown.current === company) return
    shown.current = company
    // The pressed button is gone, so the focus must move.
    box.current?.querySelector<HTMLElement>('input, button')?.focus()
  }, [company])
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="text-sm font-medium text-ink">Company</legend>
      <div ref={box} className="mt-1.5">
        {company ? (
          <p className="flex min-h-12 items-center gap-3 rounded-md border border-line bg-surface pr-1 pl-3 text-sm">
            <CompanyLogo name={company.name} logoUrl={company.logoUrl} className="size-8" />
            <span className="min-w-0 flex-1 truncate font-medium text-ink">{company.name}</span>
            <IconButton label={`Not ${company.name}`} onClick={() => onPick(null)}>
              <Icon of={X} />
            </IconButton>
          </p>
        ) : (
          <CompanyBox
            label="Company"
            placeholder="Which company do you represent?"
            onPick={onPick}
          />
        )}
      </div>
      {/* The search box can't show an error itself. */}
      {error && (
        <p id={`${id}-error`} role="alert" className="mt-1.5 text-sm text-danger">
          {error}
        </p>
      )}
    </fieldset>
  )
}

type ChosenCompany = Pick<CompanySuggestion, 'id' | 'name' | 'logoUrl'>

interface CompanyChoiceProps {
  company: ChosenCompany | null
  onPick: (company: ChosenCompany | null) => void
  error?: string
}

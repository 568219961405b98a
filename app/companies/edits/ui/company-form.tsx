/** Edits a company's facts, with a preview of its card. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isRefused, useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { Options, Select, TextArea, TextField } from '#app/kit/ui/field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { CountryOptions } from '#app/kit/writing/country-options.tsx'
import { lengthOf } from '#app/kit/writing/text.ts'
import type { CompanyContract, CompanyPageView } from '../../company.contract.ts'
import { categoriesQuery } from '../../company.data.ts'
import { companyPath } from '../../company.ts'
import { CompanyCard } from '../../ui/company-card.tsx'
import { type CompanyDraft, companyDraftOf, fieldsIn } from '../company-draft.ts'
import {
  CATEGORY_MAX,
  COMPANY_NAME_MAX,
  changesBetween,
  DESCRIPTION_MAX,
  EDIT_REFUSALS,
  type EditProblems,
  editProblems,
  REASON_MAX,
  tidyFields,
} from '../company-edit.ts'
import {
  COMPANY_SIZE_NAMES,
  FACT_NAMES,
  HEADQUARTERS_MAX,
  LEGAL_FORM_MAX,
  TICKER_MAX,
} from '../company-facts.ts'
import { POLICY_MODE_NAMES, policyText } from '../company-policy.ts'
import type { EditContract } from '../edit-company.contract.ts'
import { invalidateEdits } from '../edit-company.data.ts'

interface CompanyFormProps {
  company: CompanyPageView
  /** Editors' changes apply immediately. */
  isEditor: boolean
}

export function CompanyForm({ company, isEditor }: CompanyFormProps) {
  const api = useApi<EditContract>()
  const queryClient = useQueryClient()
  // Keeps only what the person typed, so other people's changes show up in the other fields.
  const [typed, setTyped] = useState<Partial<CompanyDraft>>({})
  const [reason, setReason] = useState('')
  const draft = { ...companyDraftOf(company), ...typed }
  const wanted = tidyFields(fieldsIn(draft))
  const changes = changesBetween(company, wanted)
  const { form, errors, isBusy } = useForm<keyof EditProblems>({
    check: () => {
      const problems = editProblems(changes, new Date().toISOString().slice(0, 7))
      const isSame = Object.keys(changes).length === 0
      return { ...problems, form: isSame ? EDIT_REFUSALS.noChange : undefined }
    },
    send: async () => {
      try {
        const { state, path } = await api('POST /api/v1/companies/{id}/edits', {
          params: { id: company.id },
          body: { changes, reason },
        })
        setTyped({})
        setReason('')
        await invalidateEdits(queryClient)
        if (state === 'applied') {
          toast({ title: 'Company saved' })
          navigate(path)
        } else
          toast({
            title: 'Thank you',
            description: 'An administrator will review your suggestion.',
          })
      } catch (error) {
        if (isRefused(error)) await invalidateEdits(queryClient)
        return { form: errorSentence(error) }
      }
    },
  })
  const set = (part: Partial<CompanyDraft>) => setTyped((now) => ({ ...now, ...part }))
  return (
    <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_20rem] lg:gap-12">
      <form {...form} className="grid content-start gap-6">
        <TextField
          label="Name"
          value={draft.name}
          error={errors.name}
          maxLength={COMPANY_NAME_MAX}
          required
          autoComplete="off"
          onChange={(event) => set({ name: event.target.value })}
        />
        <CategoryField
          value={draft.category}
          error={errors.category}
          onChange={(category) => set({ category })}
        />
        <TextArea
          label="Description"
          value={draft.description}
          error={errors.description}
          hint="What it does, in a sentence or two."
          limit={{ length: lengthOf(draft.description), max: DESCRIPTION_MAX }}
          onChange={(event) => set({ description: event.target.value })}
        />
        <TextField
          label="Website"
          type="url"
          inputMode="url"
          value={draft.website}
          error={errors.website}
          placeholder="https://"
          autoComplete="off"
          onChange={(event) => set({ website: event.target.value })}
        />
        <FactFields draft={draft} errors={errors} onChange={set} />
        <PolicyFields draft={draft} errors={errors} onChange={set} />
        {!isEditor && (
          <TextArea
            label="Reason (optional)"
            hint="Say where the administrator can check this. Only administrators can read it."
            value={reason}
            maxLength={REASON_MAX}
            limit={{ length: lengthOf(reason), max: REASON_MAX }}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
        <FormError>{errors.form}</FormError>
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={isBusy} busyLabel={isEditor ? 'Saving...' : 'Sending...'}>
            {isEditor ? 'Save' : 'Suggest change'}
          </Button>
          <a href={companyPath(company)} className={buttonClasses('ghost')}>
            Cancel
          </a>
        </div>
      </form>
      <aside aria-label="Preview" className="lg:sticky lg:top-24 lg:self-start">
        <p className="mb-2 text-sm font-medium text-ink">Preview</p>
        {/* The preview is just a picture, so its links do nothing. */}
        <div inert>
          <CompanyCard
            company={{ ...company, ...wanted, name: wanted.name || 'Name' }}
            variant="list"
          />
        </div>
        {wanted.policy && (
          <p className="mt-3 text-sm text-ink-soft">{`Office policy: ${policyText(wanted.policy)}`}</p>
        )}
      </aside>
    </div>
  )
}

interface CategoryFieldProps {
  value: string
  error?: string
  onChange: (category: string) => void
}

/** Free text, with suggestions. */
function CategoryField({ value, error, onChange }: CategoryFieldProps) {
  const api = useApi<CompanyContract>()
  const { data } = useQuery(categoriesQuery(api))
  return (
    <>
      <TextField
        label="Category"
        value={value}
        error={error}
        maxLength={CATEGORY_MAX}
        required
        list="known-categories"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id="known-categories">
        {data?.categories.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  )
}

function FactFields({ draft, errors, onChange }: PartProps) {
  return (
    <fieldset className="grid gap-4 rounded-xl border border-line p-4 md:p-5">
      <legend className="px-1 text-sm font-medium text-ink">Facts</legend>
      <TextArea
        label={FACT_NAMES.aliases}
        value={draft.aliases}
        error={errors.aliases}
        rows={2}
        hint="Names people know it by, one per line. Search finds them too."
        onChange={(event) => onChange({ aliases: event.target.value })}
      />
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label={FACT_NAMES.headquarters}
          value={draft.headquarters}
          error={errors.headquarters}
          maxLength={HEADQUARTERS_MAX}
          placeholder="City"
          autoComplete="off"
          onChange={(event) => onChange({ headquarters: event.target.value })}
        />
        <Select
          label={FACT_NAMES.country}
          value={draft.country}
          error={errors.country}
          onChange={(event) => onChange({ country: event.target.value })}
        >
          <option value="">Unknown</option>
          <CountryOptions />
        </Select>
        <Select
          label={FACT_NAMES.size}
          value={draft.size}
          error={errors.size}
          onChange={(event) => onChange({ size: event.target.value as CompanyDraft['size'] })}
        >
          <option value="">Unknown</option>
          <Options names={COMPANY_SIZE_NAMES} />
        </Select>
        <TextField
          label={FACT_NAMES.founded}
          value={draft.founded}
          error={errors.founded}
          inputMode="numeric"
          maxLength={4}
          placeholder="Year"
          autoComplete="off"
          onChange={(event) => onChange({ founded: event.target.value })}
        />
        <TextField
          label={FACT_NAMES.ticker}
          value={draft.ticker}
          error={errors.ticker}
          maxLength={TICKER_MAX}
          hint="The company’s symbol on the stock exchange, such as MSFT."
          autoComplete="off"
          onChange={(event) => onChange({ ticker: event.target.value })}
        />
        <TextField
          label={FACT_NAMES.legalForm}
          value={draft.legalForm}
          error={errors.legalForm}
          maxLength={LEGAL_FORM_MAX}
          hint="Such as GmbH, Inc. or plc."
          autoComplete="off"
          onChange={(event) => onChange({ legalForm: event.target.value })}
        />
      </div>
    </fieldset>
  )
}

interface PartProps {
  draft: CompanyDraft
  errors: EditProblems
  onChange: (part: Partial<CompanyDraft>) => void
}

function PolicyFields({ draft, errors, onChange }: PartProps) {
  const { mode } = draft
  return (
    <fieldset className="grid gap-4 rounded-xl border border-line p-4 md:p-5">
      <legend className="px-1 text-sm font-medium text-ink">
        The company’s policy on office days
      </legend>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <Select
          label="Where people work"
          value={mode}
          error={errors.mode}
          onChange={(event) => onChange({ mode: event.target.value as CompanyDraft['mode'] })}
        >
          {/* A stored policy can be changed, but not removed. */}
          {(mode === '' || !draft.hasPolicy) && <option value="">Unknown</option>}
          <Options names={POLICY_MODE_NAMES} />
        </Select>
        {(mode === 'hybrid' || mode === 'office') && (
          <Select
            label="Days a week in the office"
            value={draft.days}
            error={errors.days}
            onChange={(event) => onChange({ days: event.target.value })}
          >
            <option value="">Doesn’t say</option>
            {['0', '1', '2', '3', '4', '5'].map((days) => (
              <option key={days} value={days}>
                {days}
              </option>
            ))}
          </Select>
        )}
        {mode !== '' && (
          <>
            <TextField
              label="Since"
              type="month"
              value={draft.since}
              error={errors.since}
              hint="A month, such as 2026-03. Leave it empty if unknown."
              onChange={(event) => onChange({ since: event.target.value })}
            />
            <TextField
              label="Source"
              type="url"
              inputMode="url"
              value={draft.source}
              error={errors.source}
              placeholder="https://"
              hint="Where the company or the press says so."
              autoComplete="off"
              onChange={(event) => onChange({ source: event.target.value })}
            />
          </>
        )}
      </div>
    </fieldset>
  )
}

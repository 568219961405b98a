/** Adds a company after checking for duplicates. Spec §6. */

import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { useReach, useSite } from '#app/kit/session/site.tsx'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { Dialog, useOpenCount } from '#app/kit/ui/dialog.tsx'
import { TextArea, TextField } from '#app/kit/ui/field.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import type { CompanyContract } from '../../company.contract.ts'
import { categoriesQuery } from '../../company.data.ts'
import { CATEGORY_MAX, COMPANY_NAME_MAX } from '../../edits/company-edit.ts'
import { type AddedCompany, addedCompanyProblems, EMPTY_COMPANY } from '../added-company.ts'
import type { SameCompany } from '../import-report.ts'

type AddCompanyDialogProps = OpenProps & {
  title: string
  /** Prefilled values. */
  known?: Partial<AddedCompany>
  /** @returns an existing company that is the same @throws ApiError */
  add: (form: AddedCompany & { isAnother: boolean }) => Promise<SameCompany | null>
}

export function AddCompanyDialog({ open, onOpenChange, title, known, add }: AddCompanyDialogProps) {
  const formId = useId()
  const [busy, setBusy] = useState(false)
  const [double, setDouble] = useState<SameCompany | null>(null)
  const { hasLogoSearch } = useSite()
  const openCount = useOpenCount(open, () => setDouble(null))
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      description={`People can find it right away.${hasLogoSearch ? ' We’ll fetch the logo from the address below, or from its own site.' : ''}`}
      width="md"
      footer={
        <>
          <CancelButton onCancel={() => onOpenChange(false)} />
          <Button type="submit" form={formId} busy={busy} busyLabel="Adding...">
            {double ? 'Add as another company' : 'Add company'}
          </Button>
        </>
      }
    >
      <AddCompanyForm
        key={openCount}
        id={formId}
        known={known}
        double={double}
        onDouble={setDouble}
        onBusy={setBusy}
        onAdded={() => onOpenChange(false)}
        add={add}
      />
    </Dialog>
  )
}

type AddCompanyFormProps = Pick<AddCompanyDialogProps, 'known' | 'add'> & {
  id: string
  double: SameCompany | null
  onDouble: (double: SameCompany | null) => void
  onBusy: (isBusy: boolean) => void
  onAdded: () => void
}

function AddCompanyForm({ id, known, double, add, ...props }: AddCompanyFormProps) {
  const [draft, setDraft] = useState<AddedCompany>({ ...EMPTY_COMPANY, ...known })
  const { flags, hasLogoSearch } = useSite()
  const reach = useReach()
  const { data } = useQuery({
    ...categoriesQuery(useApi<CompanyContract>()),
    enabled: flags.enableCompanies,
  })
  const change = (part: Partial<AddedCompany>) => {
    // Another name or website makes the warning outdated.
    props.onDouble(null)
    setDraft({ ...draft, ...part })
  }
  const { form, errors } = useForm<keyof AddedCompany>({
    check: () => addedCompanyProblems(draft),
    send: async () => {
      props.onBusy(true)
      try {
        const found = await add({ ...draft, isAnother: double !== null })
        if (found) props.onDouble(found)
        else props.onAdded()
      } finally {
        props.onBusy(false)
      }
    },
  })
  return (
    <form id={id} {...form} className="grid gap-4 md:gap-5">
      <FormError>{errors.form}</FormError>
      <TextField
        label="Name"
        name="name"
        autoComplete="off"
        required
        maxLength={COMPANY_NAME_MAX}
        value={draft.name}
        error={errors.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TextField
        label="Category"
        name="category"
        autoComplete="off"
        maxLength={CATEGORY_MAX}
        list={`${id}-categories`}
        placeholder="Other"
        value={draft.category}
        error={errors.category}
        onChange={(event) => change({ category: event.target.value })}
      />
      <datalist id={`${id}-categories`}>
        {data?.categories.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        label="Website (optional)"
        name="website"
        type="url"
        inputMode="url"
        autoComplete="off"
        placeholder="https://example.com"
        value={draft.website}
        error={errors.website}
        onChange={(event) => change({ website: event.target.value })}
      />
      {hasLogoSearch && (
        <TextField
          label="Logo address (optional)"
          name="logoUrl"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/logo.png"
          value={draft.logoUrl}
          error={errors.logoUrl}
          onChange={(event) => change({ logoUrl: event.target.value })}
        />
      )}
      <TextArea
        label="Description (optional)"
        name="description"
        value={draft.description}
        error={errors.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <div role="alert">
        {double && (
          <p className="rounded-lg bg-sunken p-3 text-sm text-ink">
            {`"${double.name}" already has this name or website.`}{' '}
            {reach(double.path) && (
              <a href={double.path} target="_blank" rel="noopener" className={linkClasses}>
                See it
              </a>
            )}
          </p>
        )}
      </div>
    </form>
  )
}

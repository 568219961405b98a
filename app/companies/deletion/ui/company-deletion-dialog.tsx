/** Asks twice: shows what is deleted, then has the name typed. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { TypedNameField } from '#app/kit/forms/act-fields.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { refusalOf } from '#app/kit/forms/refusal.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog, useRound } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyContract } from '../../company.contract.ts'
import { belongingsQuery, deleteCompany } from '../company-deletion.data.ts'
import {
  type Belongings,
  belongingLines,
  DELETION_WORDS,
  nameProblem,
  TYPED_NAME_MAX,
} from '../company-deletion.ts'

type CompanyDeletionDialogProps = OpenProps & { company: { id: string; name: string } }

export function CompanyDeletionDialog({
  open,
  onOpenChange,
  company: { id, name },
}: CompanyDeletionDialogProps) {
  const api = useApi<CompanyContract>()
  const queryClient = useQueryClient()
  const formId = useId()
  const [isSecond, setSecond] = useState(false)
  const [typed, setTyped] = useState('')
  // Each opening starts with the first question.
  useRound(open, () => {
    setSecond(false)
    setTyped('')
  })
  const belongings = useQuery({ ...belongingsQuery(api, id), enabled: open })
  const { form, errors, isBusy } = useForm<'name'>({
    check: () => ({ name: nameProblem(typed, name) }),
    send: async () => {
      try {
        await deleteCompany({ api, queryClient }, { id, name: typed })
      } catch (error) {
        return { form: refusalOf(error) }
      }
      onOpenChange(false)
      toast({ title: DELETION_WORDS.done(name) })
      navigate('/companies')
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={DELETION_WORDS.title(name)}
      description={isSecond ? DELETION_WORDS.again : DELETION_WORDS.goes}
      footer={
        <>
          <CancelButton onCancel={() => onOpenChange(false)} />
          {isSecond ? (
            <Button
              key="confirm"
              type="submit"
              form={formId}
              variant="danger"
              busy={isBusy}
              busyLabel={DELETION_WORDS.busy}
            >
              {DELETION_WORDS.confirm}
            </Button>
          ) : (
            <Button key="next" disabled={!belongings.data} onClick={() => setSecond(true)}>
              {DELETION_WORDS.next}
            </Button>
          )}
        </>
      }
    >
      {isSecond ? (
        <form id={formId} {...form} className="grid gap-5">
          <p className="text-sm leading-6 text-ink">
            {belongings.data && belongingLines(belongings.data).join(', ')}
          </p>
          <FormError>{errors.form}</FormError>
          <NameField name={name} value={typed} error={errors.name} onChange={setTyped} />
        </form>
      ) : (
        <WhatGoes
          belongings={belongings.data}
          hasFailed={belongings.isError}
          onTryAgain={() => belongings.refetch()}
        />
      )}
    </Dialog>
  )
}

interface WhatGoesProps {
  belongings?: Belongings
  hasFailed: boolean
  onTryAgain: () => void
}

function WhatGoes({ belongings, hasFailed, onTryAgain }: WhatGoesProps) {
  return (
    <div className="grid gap-4 text-sm leading-6">
      <div aria-live="polite">
        {belongings ? (
          <ul className="grid grid-cols-2 gap-x-6 gap-y-1 font-medium text-ink">
            {belongingLines(belongings).map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        ) : hasFailed ? (
          <LoadErrorLine text={DELETION_WORDS.failedToLoad} onRetry={onTryAgain} />
        ) : (
          <Loading>
            <Skeleton className="h-13 w-full" />
          </Loading>
        )}
      </div>
      <p className="text-ink-soft">{DELETION_WORDS.goesToo}</p>
      <p className="text-ink-soft">{DELETION_WORDS.instead}</p>
    </div>
  )
}

interface NameFieldProps {
  name: string
  value: string
  error?: string
  onChange: (typed: string) => void
}

/** Takes the focus once, as the button that led here is gone. */
function NameField({ name, value, error, onChange }: NameFieldProps) {
  const hasFocused = useRef(false)
  return (
    <TypedNameField
      ref={(field: HTMLInputElement | null) => {
        if (!field || hasFocused.current) return
        hasFocused.current = true
        field.focus()
      }}
      name={name}
      maxLength={TYPED_NAME_MAX}
      value={value}
      onChange={onChange}
      error={error}
    />
  )
}

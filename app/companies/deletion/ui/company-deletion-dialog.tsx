/** Asks twice: first it shows what will be deleted, then people type the name. */

import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { TypedNameField } from '#app/kit/forms/act-fields.tsx'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, CancelButton } from '#app/kit/ui/button.tsx'
import { Dialog, useOpenCount } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { CompanyContract } from '../../company.contract.ts'
import {
  type Belongings,
  belongingLines,
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
  // Starts with the first question each time it opens.
  useOpenCount(open, () => {
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
        return { form: errorSentence(error) }
      }
      onOpenChange(false)
      toast({ title: `${name} was deleted` })
      navigate('/companies')
    },
  })
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Delete ${name}?`}
      description={
        isSecond
          ? 'This can’t be undone. It also deletes:'
          : 'This permanently deletes what people wrote about it:'
      }
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
              busyLabel="Deleting..."
            >
              Delete for good
            </Button>
          ) : (
            <Button key="next" disabled={!belongings.data} onClick={() => setSecond(true)}>
              Continue
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
          <LoadErrorLine text="Couldn’t count what would be deleted." onRetry={onTryAgain} />
        ) : (
          <Loading>
            <Skeleton className="h-13 w-full" />
          </Loading>
        )}
      </div>
      <p className="text-ink-soft">
        Its page, logo, history, followers and replies are deleted too, and no one can act for it.
        Requests for it stay on their list. We don’t tell the authors.
      </p>
      <p className="text-ink-soft">
        If only some posts break the rules, remove those instead. If the company is listed twice,
        merge it into the other one. If it has a new name, rename it.
      </p>
    </div>
  )
}

interface NameFieldProps {
  name: string
  value: string
  error?: string
  onChange: (typed: string) => void
}

/** Takes the focus once, because the button that led here is gone. */
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

type Api = Client<CompanyContract>

/** Counted again each time it opens. Keys with "me" are cleared at login and logout. */
const belongingsQuery = (api: Api, id: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'company-belongings', id],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/belongings', { params: { id }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** @param name as typed @throws ApiError */
export async function deleteCompany(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { id, name }: { id: string; name: string },
) {
  await api('DELETE /api/v1/companies/{id}', { params: { id }, query: { name } })
  // Refetch what people see next, but not the current page, because its company is gone.
  queryClient.invalidateQueries({ refetchType: 'none' })
}

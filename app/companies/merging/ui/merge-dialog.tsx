/** Asks which company remains, and previews the merge. */
import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useRef, useState } from 'react'
import { type Client, useApi } from '#app/api/client.ts'
import { ActDialog } from '#app/kit/forms/act-dialog.tsx'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { MY_KEY } from '#app/kit/session/my-key.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { useOpenCount } from '#app/kit/ui/dialog.tsx'
import type { OpenProps } from '#app/kit/ui/lazy-component.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Loading, Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import { CompanyPicker, type PickedCompany } from '../../ui/company-picker.tsx'
import type { MergeContract, MergePreview } from '../merge.contract.ts'
import { ABOUT_MERGING, MERGE_REFUSALS, movingLines } from '../merging.ts'

type MergeDialogProps = OpenProps & { company: { id: string; name: string } }

export function MergeDialog({ open, onOpenChange, company: { id, name } }: MergeDialogProps) {
  const api = useApi<MergeContract>()
  const queryClient = useQueryClient()
  const [into, setInto] = useState<PickedCompany | null>(null)
  const path = useRef('/companies')
  const openCount = useOpenCount(open, () => setInto(null))
  const isItself = into?.id === id
  const enabled = open && into !== null && !isItself
  const preview = useQuery({ ...mergeQuery(api, id, into?.id ?? ''), enabled })
  const problem = !into
    ? 'Choose the company that remains'
    : isItself
      ? MERGE_REFUSALS.itself
      : preview.data
        ? undefined
        : 'First check what will move'
  return (
    <ActDialog<'into'>
      key={openCount}
      open={open}
      onOpenChange={onOpenChange}
      title={`Merge ${name} into another company`}
      texts={{
        text: ABOUT_MERGING,
        confirm: 'Merge',
        busy: 'Merging...',
      }}
      variant="primary"
      check={() => ({ into: problem })}
      act={async () => {
        if (into) path.current = await mergeCompany({ api, queryClient }, { id, into: into.id })
      }}
      onDone={() => {
        if (into) toast({ title: `${name} is now part of ${into.name}` })
        navigate(path.current)
      }}
    >
      {(errors) => (
        // Room for the search box's list.
        <div className="grid min-h-72 content-start gap-5">
          <CompanyPicker
            legend="Which company remains?"
            placeholder="The company that remains"
            company={into}
            isLoading={false}
            onPick={setInto}
          />
          {/* We recompute this, because the error may be about an earlier choice. */}
          {errors.into && problem && (
            <p role="alert" className="-mt-3 text-sm text-danger">
              {problem}
            </p>
          )}
          {into && !isItself && (
            <div aria-live="polite" className="grid gap-4 text-sm leading-6">
              {preview.data ? (
                <WhatHappens preview={preview.data} />
              ) : preview.isError ? (
                <LoadErrorLine text={errorSentence(preview.error)} onRetry={preview.refetch} />
              ) : (
                <Loading>
                  <Skeleton className="h-40 w-full" />
                </Loading>
              )}
            </div>
          )}
        </div>
      )}
    </ActDialog>
  )
}

function WhatHappens({ preview }: { preview: MergePreview }) {
  const { from, into, moving, filled, differing, addresses } = preview
  return (
    <>
      <Part title="What moves">
        <ul className="grid grid-cols-2 gap-x-6 gap-y-1 font-medium text-ink">
          {movingLines(moving).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        <p className="mt-2 text-ink-soft">
          Its followers, alerts, views, history and news move too. No one is notified.
        </p>
      </Part>
      <p dir="auto" className="text-ink-soft">
        {`${into.name} keeps its name and facts. ${from.name} becomes another name for it.`}
      </p>
      {filled.length > 0 && (
        <Part title="Added where it has nothing">
          <Facts facts={filled.map(({ field, from }) => ({ field, value: from }))} />
        </Part>
      )}
      {differing.length > 0 && (
        <Part title="Stays unchanged there">
          <Facts
            facts={differing.map(({ field, from, into }) => ({
              field,
              value: `${into} (not ${from})`,
            }))}
          />
        </Part>
      )}
      <Part title="Addresses that will lead there">
        <ul className="grid gap-1 text-ink-soft">
          {addresses.map((address) => (
            <li key={address} className="break-all">
              {address}
            </li>
          ))}
        </ul>
      </Part>
      <p dir="auto" className="text-ink-soft">
        {`You can undo this for a day, in the history of ${into.name}. Anything people add until then stays with ${into.name}. Comments stay with their threads.`}
      </p>
    </>
  )
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h3 id={id} className="mb-1 text-ink-faint">
        {title}
      </h3>
      {children}
    </section>
  )
}

const Facts = ({ facts }: { facts: { field: string; value: string }[] }) => (
  <dl className="grid gap-1">
    {facts.map(({ field, value }) => (
      <div key={field} className="grid gap-x-4 sm:grid-cols-[7rem_minmax(0,1fr)]">
        <dt className="text-ink-faint">{field}</dt>
        <dd dir="auto" className="break-words text-ink">
          {value}
        </dd>
      </div>
    ))}
  </dl>
)

type Api = Client<MergeContract>

/** Counted again for each choice. Keys with "me" are cleared at login and logout. */
const mergeQuery = (api: Api, id: string, into: string) =>
  queryOptions({
    queryKey: [MY_KEY, 'company-merge', id, into],
    queryFn: ({ signal }) =>
      api('GET /api/v1/companies/{id}/merge', { params: { id }, query: { into }, signal }),
    staleTime: 0,
    gcTime: 0,
  })

/** @returns the remaining company's path @throws ApiError */
export async function mergeCompany(
  { api, queryClient }: { api: Api; queryClient: QueryClient },
  { id, into }: { id: string; into: string },
) {
  const { path } = await api('POST /api/v1/companies/{id}/merge', {
    params: { id },
    body: { into },
  })
  // Refetch what people see next, but not the current page, because its company is gone.
  queryClient.invalidateQueries({ refetchType: 'none' })
  return path
}

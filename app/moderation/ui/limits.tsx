/** How often people may post and vote. Each number is saved by itself, and is ours again with one press. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError } from '#app/kit/forms/form-error.tsx'
import { useForm } from '#app/kit/forms/use-form.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { closeAndFocus } from '#app/kit/ui/close-and-focus.ts'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { grouped } from '#app/kit/ui/number.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { TextField } from '#app/kit/ui/text-field.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { ModerationContract, PostingLimit } from '../moderation.contract.ts'
import { limitsQuery } from '../moderation.data.ts'
import { LIMIT_MAX, LIMIT_RANGE } from '../moderation.ts'

const OF = { member: 'of a member', visitor: 'of a visitor', network: 'of one network' }
const labelOf = ({ what, of, seconds }: PostingLimit) =>
  `${what} ${OF[of]} in ${seconds / 60} minutes`

export function Limits() {
  const query = useQuery(limitsQuery(useApi<ModerationContract>()))
  if (query.isError && !query.data)
    return <LoadErrorLine text="The limits did not load." onRetry={query.refetch} />
  if (!query.data) return <Skeleton className="h-64 w-full" />
  return (
    <ul className="grid items-end gap-x-6 gap-y-4 sm:grid-cols-3">
      {query.data.map((limit) => (
        <li key={limit.name}>
          <LimitForm limit={limit} />
        </li>
      ))}
    </ul>
  )
}

function LimitForm({ limit }: { limit: PostingLimit }) {
  const api = useApi<ModerationContract>()
  const queryClient = useQueryClient()
  /** Undefined while it is the number in force. */
  const [typed, setTyped] = useState<string>()
  const uses = typed ?? String(limit.uses)
  const field = useRef<HTMLInputElement>(null)
  const choose = async (uses: number | null) => {
    await api('PUT /api/v1/moderation/limits/{name}', {
      params: { name: limit.name },
      body: { uses },
    })
    await queryClient.invalidateQueries(limitsQuery(api))
    // The button that was pressed goes.
    closeAndFocus(
      () => setTyped(undefined),
      () => field.current,
    )
    toast({ title: 'In force from now on' })
  }
  const { form, errors, isBusy } = useForm<'uses'>({
    check: () => ({
      uses:
        /^\d{1,6}$/.test(uses.trim()) && Number(uses) >= 1 && Number(uses) <= LIMIT_MAX
          ? undefined
          : LIMIT_RANGE,
    }),
    send: () => choose(Number(uses)),
  })
  const back = useForm({ send: () => choose(null) })
  return (
    <div className="flex flex-wrap items-end gap-2">
      <form {...form} className="flex flex-wrap items-end gap-2">
        <FormError>{errors.form ?? back.errors.form}</FormError>
        <TextField
          label={labelOf(limit)}
          inputMode="numeric"
          ref={field}
          value={uses}
          onChange={({ target }) => setTyped(target.value)}
          error={errors.uses}
          className="max-w-28"
        />
        {uses !== String(limit.uses) && (
          <Button type="submit" busy={isBusy} busyLabel="Saving...">
            Save
          </Button>
        )}
      </form>
      {limit.uses !== limit.usual && (
        <form {...back.form}>
          <Button type="submit" variant="ghost" busy={back.isBusy} busyLabel="Saving...">
            {`Back to ${grouped(limit.usual)}`}
          </Button>
        </form>
      )}
    </div>
  )
}

import { useState } from 'react'
import { closeAndFocus, FormError, useForm } from '#app/kit/forms/form.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { TextField } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { toast } from '#app/kit/ui/toast.ts'
import type { FeedTrial } from '../job-feed.contract.ts'
import { FEED_ADDRESS_MAX, feedAddressProblem, jobsCounted, tidyFeedAddress } from '../job-feed.ts'
import { addFeed, type FeedQueries, tryFeed } from '../job-feeds.data.ts'

interface AddFeedProps {
  company: string | undefined
  queries: FeedQueries
}

/** Shows what we'd read before anything is posted. */
export function AddFeed({ company, queries }: AddFeedProps) {
  const [address, setAddress] = useState('')
  const [trial, setTrial] = useState<FeedTrial>()
  const { form, errors, isBusy } = useForm<'address'>({
    check: () => ({ address: feedAddressProblem(tidyFeedAddress(address)) }),
    send: async () => setTrial(await tryFeed(queries, address, company)),
  })
  const close = () =>
    closeAndFocus(
      () => {
        setTrial(undefined)
        setAddress('')
      },
      () => form.ref.current?.querySelector('input'),
    )
  return (
    <section
      aria-labelledby="add-feed"
      className="grid gap-4 rounded-xl border border-line bg-surface p-4 md:p-5"
    >
      <h3 id="add-feed" className="font-semibold text-ink">
        Add a feed
      </h3>
      <form {...form} className="grid gap-4">
        <TextField
          label="Address"
          name="address"
          type="url"
          inputMode="url"
          autoComplete="off"
          placeholder="https://example.com/jobs.xml"
          hint="XML, JSON (schema.org) or CSV, on the public web"
          maxLength={FEED_ADDRESS_MAX}
          value={address}
          error={errors.address}
          onChange={({ target }) => {
            setAddress(target.value)
            setTrial(undefined)
          }}
        />
        <FormError>{errors.form}</FormError>
        <div>
          <Button
            type="submit"
            variant={trial ? 'secondary' : 'primary'}
            busy={isBusy}
            busyLabel="Reading..."
          >
            {trial ? 'Try again' : 'Try it'}
          </Button>
        </div>
      </form>
      {trial && (
        <Trial
          trial={trial}
          onAdd={() => addFeed(queries, address, company)}
          onAdded={() => {
            toast({
              title: 'Feed added',
              description: 'We’re reading it now, and then every day.',
            })
            close()
          }}
          onCancel={close}
        />
      )}
    </section>
  )
}

interface TrialProps {
  trial: FeedTrial
  onAdd: () => Promise<unknown>
  onAdded: () => void
  onCancel: () => void
}

function Trial({
  trial: { listed, fine, jobs, omittedRows },
  onAdd,
  onAdded,
  onCancel,
}: TrialProps) {
  const { form, errors, isBusy } = useForm({ send: () => onAdd().then(onAdded) })
  return (
    <form {...form} className="grid gap-4 border-t border-line pt-4 text-sm leading-6">
      <p role="status" className="font-medium text-ink">
        {listed === 0
          ? 'The feed has no jobs. You can add it anyway.'
          : `We’d post ${fine === listed ? `all ${jobsCounted(listed)}` : `${grouped(fine)} of ${jobsCounted(listed)}`}.`}
      </p>
      {jobs.length > 0 && (
        <ul aria-label="First jobs" className="divide-y divide-line border-y border-line">
          {jobs.map(({ title, company, location, salary }) => (
            <li key={`${title} ${location}`} className="py-2.5">
              <p className="font-medium [overflow-wrap:anywhere] text-ink">{title}</p>
              <p className="text-ink-soft">{[company, location, salary].join(' · ')}</p>
            </li>
          ))}
        </ul>
      )}
      <OmittedRowList rows={omittedRows} count={listed - fine} />
      <FormError>{errors.form}</FormError>
      <div className="flex flex-wrap gap-3">
        <Button type="submit" busy={isBusy} busyLabel="Adding...">
          Add feed
        </Button>
        <Button variant="ghost" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** @param count all of them. `rows` are the first */
export function OmittedRowList({ rows, count }: { rows: FeedTrial['omittedRows']; count: number }) {
  if (rows.length === 0) return null
  return (
    <details className="text-ink-soft">
      <summary className="cursor-pointer py-1 text-ink-soft hover:text-ink">
        {`${grouped(count)} left out`}
      </summary>
      <ul className="mt-1 grid gap-1">
        {rows.map(({ row, reason }) => (
          <li key={row} className="[overflow-wrap:anywhere]">
            {`Row ${row}: ${reason}`}
          </li>
        ))}
        {count > rows.length && <li>{`And ${grouped(count - rows.length)} more.`}</li>}
      </ul>
    </details>
  )
}

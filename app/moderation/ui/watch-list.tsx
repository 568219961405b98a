/** Before you add an entry, you see what it would have held. */
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link2, X } from 'lucide'
import { useState } from 'react'
import { useApi } from '#app/api/client.ts'
import { FormError, useForm } from '#app/kit/forms/form.tsx'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Button, IconButton } from '#app/kit/ui/button.tsx'
import { linkClasses } from '#app/kit/ui/class-names.ts'
import { TextField } from '#app/kit/ui/field.tsx'
import { grouped } from '#app/kit/ui/format.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { LoadErrorLine } from '#app/kit/ui/message.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { toast } from '#app/kit/ui/toast.ts'
import type { DryRun, ModerationContract, WatchedWord } from '../moderation.contract.ts'
import { watchedQuery } from '../moderation.data.ts'
import { WATCH_PROBLEMS, WATCHED_MAX } from '../watch.ts'

export function WatchList() {
  const api = useApi<ModerationContract>()
  const queryClient = useQueryClient()
  const query = useQuery(watchedQuery(api))
  const [entry, setEntry] = useState('')
  const [dryRun, setDryRun] = useState<DryRun>()
  const invalidate = () => queryClient.invalidateQueries(watchedQuery(api))
  const { form, errors, isBusy } = useForm<'entry'>({
    check: () => ({ entry: entry.trim() ? undefined : WATCH_PROBLEMS.empty }),
    send: async () => {
      setDryRun(await api('POST /api/v1/moderation/watched-words/dry-run', { body: { entry } }))
    },
  })
  const saving = useForm({
    send: async () => {
      if (!dryRun) return
      await api('POST /api/v1/moderation/watched-words', { body: { entry: dryRun.entry } })
      toast({ title: `“${dryRun.entry}” is now on the watch list` })
      setDryRun(undefined)
      setEntry('')
      await invalidate()
    },
  })
  const remove = async ({ id, entry }: WatchedWord) => {
    try {
      await api('DELETE /api/v1/moderation/watched-words/{id}', { params: { id } })
      toast({ title: `“${entry}” was removed from the watch list` })
    } catch (error) {
      reportError('Couldn’t remove it')(error)
    }
    await invalidate()
  }
  if (query.isError && !query.data)
    return <LoadErrorLine text="The watch list didn’t load." onRetry={query.refetch} />
  if (!query.data) return <Skeleton className="h-20 w-full" />
  return (
    <>
      {query.data.length > 0 && (
        <ul className="mb-4 flex flex-wrap gap-2">
          {query.data.map((word) => (
            <li
              key={word.id}
              className="flex max-w-full items-center gap-1.5 rounded-full border border-line bg-surface pl-3 text-sm text-ink"
            >
              {word.isDomain && <Icon of={Link2} className="size-4 shrink-0 text-ink-faint" />}
              <bdi className="truncate">{word.entry}</bdi>
              <IconButton label={`Remove ${word.entry}`} onClick={() => remove(word)}>
                <Icon of={X} />
              </IconButton>
            </li>
          ))}
        </ul>
      )}
      <form {...form} className="grid gap-3">
        <FormError>{errors.form}</FormError>
        <TextField
          label="Word, phrase or domain"
          hint="Matches whole words, in any case, with or without accents."
          value={entry}
          maxLength={WATCHED_MAX}
          onChange={({ target }) => {
            setEntry(target.value)
            setDryRun(undefined)
          }}
          error={errors.entry}
        />
        <Button
          type="submit"
          variant="secondary"
          busy={isBusy}
          busyLabel="Checking..."
          className="justify-self-start"
        >
          Check the last month
        </Button>
      </form>
      <div role="status">
        {dryRun && (
          <form
            {...saving.form}
            className="mt-4 grid gap-3 rounded-xl border border-line bg-sunken p-4 text-sm leading-6 md:p-5"
          >
            <FormError>{saving.errors.form}</FormError>
            <p className="font-semibold text-ink">{heldText(dryRun)}</p>
            {dryRun.examples.length > 0 && (
              <ul className="grid gap-2">
                {dryRun.examples.map(({ id, title, href, excerpt }) => (
                  <li key={id} className="min-w-0 border-l-2 border-line-strong pl-3 break-words">
                    <a href={href} target="_blank" rel="noopener" className={linkClasses}>
                      <bdi>{title}</bdi>
                      <span className="sr-only"> in a new tab</span>
                    </a>
                    <bdi className="block text-ink-soft">{excerpt}</bdi>
                  </li>
                ))}
              </ul>
            )}
            <Button
              type="submit"
              busy={saving.isBusy}
              busyLabel="Saving..."
              className="justify-self-start"
            >
              Add to the watch list
            </Button>
          </form>
        )}
      </div>
    </>
  )
}

const heldText = ({ matches, total, isDomain }: DryRun) =>
  `${matches === 0 ? 'None' : grouped(matches)} of ${grouped(total)} posts from the last 30 days ${matches === 1 ? 'has' : 'have'} ${isDomain ? 'a link to this domain' : 'these words'}${matches > 0 ? ' and would have been held' : ''}.`

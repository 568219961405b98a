/** Up to five topics of a thread, as chips that are ticked. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { TOPICS_MAX } from '../../discussion.ts'
import { topicsQuery } from '../../posts/own-posts.data.ts'
import { toggleTopic } from '../thread-draft.ts'

export function TopicPicker({ chosen, onChange }: TopicPickerProps) {
  const api = useApi<DiscussionContract>()
  const { data: topics, isError } = useQuery(topicsQuery(api))
  const isFull = chosen.length >= TOPICS_MAX
  // A thread without topics is a thread: this part may fail in silence.
  if (isError || topics?.length === 0) return null
  return (
    <fieldset>
      <legend className="text-sm font-medium text-ink">
        Topics <span className="font-normal text-ink-faint">(up to {TOPICS_MAX})</span>
      </legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {!topics && <Skeleton className="h-24 w-full" />}
        {topics?.map(({ slug, name }) => {
          const isChosen = chosen.includes(slug)
          return (
            <label
              key={slug}
              className={cx(
                'inline-flex min-h-10 cursor-pointer items-center rounded-full border px-3.5 text-sm transition-colors md:min-h-8',
                'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-tea',
                'has-disabled:cursor-not-allowed has-disabled:opacity-50',
                isChosen
                  ? 'border-tea bg-tea-soft font-medium text-tea-strong'
                  : 'border-line-strong/60 bg-surface text-ink-soft hover:border-ink-soft hover:text-ink',
              )}
            >
              <input
                type="checkbox"
                className="sr-only"
                checked={isChosen}
                disabled={isFull && !isChosen}
                onChange={() => onChange(toggleTopic(chosen, slug))}
              />
              {name}
            </label>
          )
        })}
      </div>
    </fieldset>
  )
}

interface TopicPickerProps {
  chosen: string[]
  onChange: (chosen: string[]) => void
}

import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import type { FormErrors } from '#app/kit/forms/form.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { TextFields } from '#app/kit/writing/draft-form.tsx'
import type { DiscussionContract } from '../../discussion.contract.ts'
import { topicsQuery } from '../../discussion.data.ts'
import { BODY_MAX, THREAD_TITLE_MAX, THREAD_TITLE_MIN, TOPICS_MAX } from '../../discussion.ts'
import { threadProblems, toggleTopic } from '../thread-draft.ts'

export function ThreadFields({ thread, errors, onChange }: ThreadFieldsProps) {
  return (
    <>
      <TextFields
        text={thread}
        errors={errors}
        problems={threadProblems(thread)}
        onChange={onChange}
        titleLimits={{ min: THREAD_TITLE_MIN, max: THREAD_TITLE_MAX }}
        label="Text"
        name="body"
        placeholder="What happened, or what would you like to know?"
        max={BODY_MAX}
      />
      <TopicPicker chosen={thread.topics} onChange={(topics) => onChange({ topics })} />
    </>
  )
}

interface ThreadFieldsProps {
  thread: { title: string; body: string; topics: string[] }
  errors: FormErrors<'title' | 'body'>
  onChange: (part: { title?: string; body?: string; topics?: string[] }) => void
}

function TopicPicker({ chosen, onChange }: TopicPickerProps) {
  const api = useApi<DiscussionContract>()
  const { data: topics, isError } = useQuery(topicsQuery(api))
  const isFull = chosen.length >= TOPICS_MAX
  // A thread doesn't need topics, so this part may fail silently.
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

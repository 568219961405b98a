import { useId } from 'react'
import { Choice } from '#app/kit/ui/field.tsx'
import { AnonymityLink } from '#app/kit/writing/leak-warnings.tsx'
import type { NameChoice as Chosen } from '../../discussion.ts'

const THREAD_NAME = 'A name for this thread only'
const EXPLAINED = 'Yours in this thread, and nowhere else.'

export function OwnNames({ value, onChange, isCompact, username }: OwnNamesProps) {
  const group = useId()
  const names: { key: Chosen; title: string; text: string }[] = [
    { key: 'pseudonym', title: THREAD_NAME, text: EXPLAINED },
    {
      key: 'username',
      title: `Your username ${username}`,
      text: 'Everyone sees it, and what else you wrote under it.',
    },
  ]
  if (!isCompact)
    return (
      <fieldset>
        <legend className="text-sm font-medium text-ink">Write as</legend>
        <div className="mt-2 grid gap-2 md:grid-cols-2">
          {names.map(({ key, title, text }) => (
            <Choice
              key={key}
              name={group}
              value={key}
              isChosen={value === key}
              onChoose={() => onChange(key)}
              title={title}
              text={text}
            />
          ))}
        </div>
        <p className="mt-2 text-sm">
          <AnonymityLink />
        </p>
      </fieldset>
    )
  return (
    <fieldset>
      <legend className="sr-only">Write as</legend>
      <div className="flex flex-wrap gap-x-5">
        {names.map(({ key, title }) => (
          <label
            key={key}
            className="flex min-h-10 items-center gap-2.5 text-sm text-ink-soft md:min-h-8"
          >
            <input
              type="radio"
              name={group}
              value={key}
              checked={value === key}
              onChange={() => onChange(key)}
              className="size-4 shrink-0 accent-tea"
            />
            {title}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

export interface OwnNamesProps {
  value: Chosen
  onChange: (value: Chosen) => void
  isCompact?: boolean
  username: string
}

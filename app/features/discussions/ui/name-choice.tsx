/** As whom somebody writes. Decision 5. */
import { useId } from 'react'
import { cx } from '../../../ui/cx.ts'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { useSession } from '../../accounts/session.data.ts'
import { Choice } from '../../accounts/ui/choice.tsx'
import type { NameChoice as Chosen } from '../discussion.ts'

const THREAD_NAME = 'A name for this thread only'
const EXPLAINED = 'The same name for you within this thread, unrelated to you anywhere else.'

/** @param isCompact for a comment: one line, without the explanation */
export function NameChoice({ value, onChange, isCompact }: NameChoiceProps) {
  const { status, me } = useSession()
  const group = useId()
  const username = me?.profile?.username

  if (status === 'loading')
    return <Skeleton className={isCompact ? 'h-8 w-64 max-w-full' : 'h-24 w-full'} />
  if (!username)
    return (
      <p
        // The server takes everybody for a visitor: `known` hides it until the browser knows.
        className={cx(
          'text-sm leading-6 text-ink-soft known:invisible',
          !isCompact && 'rounded-lg border border-line px-4 py-3',
        )}
      >
        {'You write '}
        {status === 'signed-out' && (
          <>
            {'as '}
            <strong className="font-semibold text-ink">Anonymous</strong>{' '}
          </>
        )}
        {isCompact
          ? 'with a name drawn for this thread.'
          : 'with a name that is drawn for this thread. It is the same within the thread, and unrelated to you anywhere else.'}
      </p>
    )

  const names: { key: Chosen; title: string; text: string }[] = [
    { key: 'pseudonym', title: THREAD_NAME, text: EXPLAINED },
    {
      key: 'username',
      title: `Your username ${username}`,
      text: 'Everybody sees it, and what else you wrote under it.',
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

interface NameChoiceProps {
  value: Chosen
  onChange: (value: Chosen) => void
  isCompact?: boolean
}

/** The name under which to post. S5. */

import { useId } from 'react'
import { useSession } from '#app/kit/session/session.data.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Choice } from '#app/kit/ui/field.tsx'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { AnonymityLink } from '#app/kit/writing/leak-warnings.tsx'
import type { NameChoice as Chosen } from '../../discussion.ts'

/** @param isCompact one line without the explanation, for a comment */
export function NameChoice({ value, onChange, isCompact }: Omit<OwnNamesProps, 'username'>) {
  const { status, me } = useSession()
  const username = me?.profile?.username

  if (status === 'loading')
    return <Skeleton className={isCompact ? 'h-8 w-64 max-w-full' : 'h-32 w-full'} />
  if (!username)
    return (
      <p
        // The server renders this for visitors. `known` hides it until the session is loaded.
        className={cx(
          'text-sm leading-6 text-ink-soft known:invisible',
          !isCompact && 'rounded-lg border border-line px-4 py-3',
        )}
      >
        {'You’ll post '}
        {status === 'signed-out' && (
          <>
            {'as '}
            <strong className="font-semibold text-ink">Anonymous</strong>,{' '}
          </>
        )}
        {isCompact
          ? 'under a random name for this thread.'
          : 'under a random name that’s yours in this thread and nowhere else.'}{' '}
        <AnonymityLink />
      </p>
    )

  return (
    <div className={isCompact ? 'min-h-8' : 'min-h-32'}>
      <OwnNames value={value} onChange={onChange} isCompact={isCompact} username={username} />
    </div>
  )
}

const THREAD_NAME = 'A name for this thread only'
const EXPLAINED = 'Yours in this thread, and nowhere else.'

function OwnNames({ value, onChange, isCompact, username }: OwnNamesProps) {
  const group = useId()
  const names: { key: Chosen; title: string; text: string }[] = [
    { key: 'pseudonym', title: THREAD_NAME, text: EXPLAINED },
    {
      key: 'username',
      title: `Your username ${username}`,
      text: 'Everyone can see it, and anything else you’ve posted under it.',
    },
  ]
  if (!isCompact)
    return (
      <fieldset>
        <legend className="text-sm font-medium text-ink">Post as</legend>
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
      <legend className="sr-only">Post as</legend>
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

interface OwnNamesProps {
  value: Chosen
  onChange: (value: Chosen) => void
  isCompact?: boolean
  username: string
}

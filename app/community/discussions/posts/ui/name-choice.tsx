/** The name under which to post. S5. */

import { useSession } from '#app/kit/session/session.data.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { AnonymityLink } from '#app/kit/writing/leak-warnings.tsx'
import { OwnNames, type OwnNamesProps } from './own-names.tsx'

/** @param isCompact for a comment: one line, without the explanation */
export function NameChoice({ value, onChange, isCompact }: Omit<OwnNamesProps, 'username'>) {
  const { status, me } = useSession()
  const username = me?.profile?.username

  if (status === 'loading')
    return <Skeleton className={isCompact ? 'h-8 w-64 max-w-full' : 'h-32 w-full'} />
  if (!username)
    return (
      <p
        // The server's page is for visitors: `known` hides it until the session is loaded.
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

/** As whom somebody writes. S5. */

import { useSession } from '#app/kit/session/session.data.ts'
import { cx } from '#app/kit/ui/cx.ts'
import { Skeleton } from '#app/kit/ui/skeleton.tsx'
import { AnonymityLink } from '#app/kit/writing/anonymity-link.tsx'
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
          : 'with a name that is drawn for this thread. It is the same within the thread, and unrelated to you anywhere else.'}{' '}
        <AnonymityLink />
      </p>
    )

  return (
    <div className={isCompact ? 'min-h-8' : 'min-h-32'}>
      <OwnNames value={value} onChange={onChange} isCompact={isCompact} username={username} />
    </div>
  )
}

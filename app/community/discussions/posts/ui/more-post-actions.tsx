/** On a phone, the last button of a post's row: what else one can do, so that the row stays one. */
import { Ellipsis } from 'lucide'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import type { MyThread } from '../../discussion.contract.ts'
import { muteThread, type ThreadQueries } from '../../discussion-actions.data.ts'
import type { PostOrders } from './post-menu.tsx'

const PostMenu = lazyDialog(() => import('./post-menu.tsx').then((it) => it.PostMenu))

/** @param of completes "More about"; @param orders of this post; muting, which is the thread's, is added */
export function MorePostActions({ of, orders, queries, mine }: MorePostActionsProps) {
  const label = `More about ${of}`
  return (
    <MenuButton
      aria-label={label}
      icon={<Icon of={Ellipsis} />}
      preload={PostMenu.preload}
      className="size-10 p-0 text-ink-faint md:hidden"
      menu={(popup) => (
        <PostMenu {...popup} label={label} orders={{ ...orders, ...muting(queries, mine) }} />
      )}
    />
  )
}

/** News come to who wrote in a thread. */
export const takesPart = ({ name, isMuted }: MyThread) => name !== null || isMuted

export const toggleMuted = (queries: ThreadQueries, { isMuted }: MyThread) =>
  muteThread(queries, !isMuted).catch(
    reportError(isMuted ? 'It stays muted' : 'It could not be muted'),
  )

function muting(queries: ThreadQueries, mine: MyThread): PostOrders {
  if (!takesPart(mine)) return {}
  return { [mine.isMuted ? 'unmute' : 'mute']: () => toggleMuted(queries, mine) }
}

interface MorePostActionsProps {
  of: string
  orders: PostOrders
  queries: ThreadQueries
  mine: MyThread
}

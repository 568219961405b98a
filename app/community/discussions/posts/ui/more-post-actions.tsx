/** On a phone, a menu holds what doesn't fit in a post's row. */
import { Ellipsis } from 'lucide'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import type { MyThread } from '../../discussion.contract.ts'
import { muteThread, type ThreadQueries } from '../../discussion-actions.data.ts'
import type { PostOrders } from './post-menu.tsx'

const PostMenu = lazyDialog(() => import('./post-menu.tsx').then((it) => it.PostMenu))

/** @param of completes "More about" @param orders of this post; muting the thread is added */
export function MorePostActions({ of, orders, queries, myThread }: MorePostActionsProps) {
  const label = `More about ${of}`
  return (
    <MenuButton
      aria-label={label}
      icon={<Icon of={Ellipsis} />}
      preload={PostMenu.preload}
      className="size-10 p-0 text-ink-faint md:hidden"
      menu={(popup) => (
        <PostMenu {...popup} label={label} orders={{ ...orders, ...muting(queries, myThread) }} />
      )}
    />
  )
}

/** People who wrote in a thread get notifications from it. */
export const takesPart = ({ name, isMuted }: MyThread) => name !== null || isMuted

export const toggleMuted = (queries: ThreadQueries, { isMuted }: MyThread) =>
  muteThread(queries, !isMuted).catch(
    reportError(isMuted ? 'Couldn’t unmute it' : 'Couldn’t mute it'),
  )

function muting(queries: ThreadQueries, myThread: MyThread): PostOrders {
  if (!takesPart(myThread)) return {}
  return { [myThread.isMuted ? 'unmute' : 'mute']: () => toggleMuted(queries, myThread) }
}

interface MorePostActionsProps {
  of: string
  orders: PostOrders
  queries: ThreadQueries
  myThread: MyThread
}

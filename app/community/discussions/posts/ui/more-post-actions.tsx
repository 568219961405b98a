/** On a phone, actions that don't fit in a post's row are in a menu. */
import { Ellipsis } from 'lucide'
import { reportError } from '#app/kit/forms/refusal.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { MenuButton } from '#app/kit/ui/menu-button.tsx'
import type { MyThread } from '../../discussion.contract.ts'
import { muteThread, type ThreadQueries } from '../../discussion-actions.data.ts'
import type { PostActions } from './post-menu.tsx'

const PostMenu = lazyDialog(() => import('./post-menu.tsx').then((it) => it.PostMenu))

/** @param of completes "More about" @param actions of this post; muting the thread is added */
export function MorePostActions({ of, actions, queries, myThread }: MorePostActionsProps) {
  const label = `More about ${of}`
  return (
    <MenuButton
      aria-label={label}
      icon={<Icon of={Ellipsis} />}
      preload={PostMenu.preload}
      className="size-10 p-0 text-ink-faint md:hidden"
      menu={(popup) => (
        <PostMenu
          {...popup}
          label={label}
          actions={{ ...actions, ...muteAction(queries, myThread) }}
        />
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

function muteAction(queries: ThreadQueries, myThread: MyThread): PostActions {
  if (!takesPart(myThread)) return {}
  return { [myThread.isMuted ? 'unmute' : 'mute']: () => toggleMuted(queries, myThread) }
}

interface MorePostActionsProps {
  of: string
  actions: PostActions
  queries: ThreadQueries
  myThread: MyThread
}

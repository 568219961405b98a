/** What a moderator can do where a post stands. Load it lazily: readers do without it. */
import { Shield } from 'lucide'
import { useState } from 'react'
import { tellOfFailure } from '../../../forms/report-error.ts'
import { Icon } from '../../../ui/icon.tsx'
import { MenuButton } from '../../../ui/menu-button.tsx'
import { openable } from '../../../ui/openable.tsx'
import type { Comment, Thread } from '../../discussions/discussion.contract.ts'
import { keepPost, lockThread, pinThread } from '../ruling-orders.data.ts'
import type { PostOrder } from './post-tools-menu.tsx'
import { useBench } from './use-bench.ts'

const PostToolsMenu = openable(() => import('./post-tools-menu.tsx').then((it) => it.PostToolsMenu))
const RemovalDialog = openable(() => import('./removal-dialog.tsx').then((it) => it.RemovalDialog))
const SuspensionDialog = openable(() =>
  import('./suspension-dialog.tsx').then((it) => it.SuspensionDialog),
)
const MoveDialog = openable(() => import('./move-dialog.tsx').then((it) => it.MoveDialog))

export function ThreadTools({ thread }: { thread: Thread }) {
  const { id, isLocked, isPinned, company } = thread
  const bench = useBench('thread', id, id)
  const [asking, setAsking] = useState<PostOrder>()
  const ask = { asking, setAsking }
  return (
    <>
      <MenuButton
        size="sm"
        icon={<Icon of={Shield} />}
        warm={PostToolsMenu.warm}
        menu={(popup) => (
          <PostToolsMenu
            {...popup}
            label="Moderate this thread"
            thread={{ isLocked, isPinned }}
            onOrder={(order) => {
              if (order === 'lock')
                lockThread(bench, !isLocked).catch(
                  tellOfFailure(isLocked ? 'Not unlocked' : 'Not locked'),
                )
              else if (order === 'pin')
                pinThread(bench, !isPinned).catch(
                  tellOfFailure(isPinned ? 'Not unpinned' : 'Not pinned'),
                )
              else setAsking(order)
            }}
          />
        )}
      >
        Moderate
      </MenuButton>
      <RemovalDialog {...dialog(ask, 'remove')} bench={bench} />
      <SuspensionDialog {...dialog(ask, 'suspend')} bench={bench} />
      <MoveDialog {...dialog(ask, 'move')} key={company?.id} bench={bench} company={company} />
    </>
  )
}

export function CommentTools({ comment, threadId }: { comment: Comment; threadId: string }) {
  const bench = useBench('comment', comment.id, threadId)
  const [asking, setAsking] = useState<PostOrder>()
  const ask = { asking, setAsking }
  const name = comment.author ? `the comment by ${comment.author.name}` : 'this comment'
  return (
    <>
      <MenuButton
        size="sm"
        aria-label={`Moderate ${name}`}
        data-tooltip="Moderate"
        icon={<Icon of={Shield} />}
        warm={PostToolsMenu.warm}
        className="-my-1 text-ink-faint"
        menu={(popup) => (
          <PostToolsMenu
            {...popup}
            label={`Moderate ${name}`}
            hidden={comment.removal?.state}
            onOrder={(order) => {
              if (order === 'keep') keepPost(bench).catch(tellOfFailure('Not shown'))
              else setAsking(order)
            }}
          />
        )}
      />
      <RemovalDialog {...dialog(ask, 'remove')} bench={bench} />
      <SuspensionDialog {...dialog(ask, 'suspend')} bench={bench} />
    </>
  )
}

export function NoteTools({ id }: { id: string }) {
  const bench = useBench('note', id, null)
  const [asking, setAsking] = useState<PostOrder>()
  return (
    <>
      <MenuButton
        size="sm"
        aria-label="Moderate this note"
        data-tooltip="Moderate"
        icon={<Icon of={Shield} />}
        warm={PostToolsMenu.warm}
        className="-my-1 text-ink-faint"
        menu={(popup) => (
          <PostToolsMenu {...popup} label="Moderate this note" isNote onOrder={setAsking} />
        )}
      />
      <RemovalDialog {...dialog({ asking, setAsking }, 'remove')} bench={bench} />
    </>
  )
}

interface Ask {
  asking: PostOrder | undefined
  setAsking: (order: PostOrder | undefined) => void
}

const dialog = ({ asking, setAsking }: Ask, order: PostOrder) => ({
  open: asking === order,
  onOpenChange: (open: boolean) => setAsking(open ? order : undefined),
})

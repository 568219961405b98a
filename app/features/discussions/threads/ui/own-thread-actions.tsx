/** What those can do with a thread who have a part in it: mute it, and change or delete their own. */
import { Bell, BellOff, Pencil, Trash2 } from 'lucide'
import { useState } from 'react'
import { reportError } from '../../../../forms/report-error.ts'
import { Button, buttonLook } from '../../../../ui/button.tsx'
import { Icon } from '../../../../ui/icon.tsx'
import { lazyDialog } from '../../../../ui/lazy-component.tsx'
import type { MyThread, Thread } from '../../discussion.contract.ts'
import { muteThread, type ThreadQueries } from '../../discussion-actions.data.ts'

const ThreadDeletionDialog = lazyDialog(() =>
  import('../../posts/ui/post-deletion-dialog.tsx').then((it) => it.ThreadDeletionDialog),
)

export function OwnThreadActions({ thread, queries, mine, takesPart }: OwnThreadActionsProps) {
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      {takesPart && (
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={mine.isMuted}
          icon={<Icon of={mine.isMuted ? BellOff : Bell} />}
          onClick={() =>
            muteThread(queries, !mine.isMuted).catch(
              reportError(mine.isMuted ? 'It stays muted' : 'It could not be muted'),
            )
          }
        >
          Mute
        </Button>
      )}
      {mine.can.edit && (
        <a href={`/edit-thread/${thread.id}`} className={buttonLook('ghost', 'sm')}>
          <Icon of={Pencil} />
          Edit
        </a>
      )}
      {mine.can.delete && (
        <>
          <Button
            variant="ghost"
            size="sm"
            icon={<Icon of={Trash2} />}
            {...ThreadDeletionDialog.preload}
            onClick={() => setDeleting(true)}
          >
            Delete
          </Button>
          <ThreadDeletionDialog open={isDeleting} onOpenChange={setDeleting} queries={queries} />
        </>
      )}
    </>
  )
}

interface OwnThreadActionsProps {
  thread: Thread
  queries: ThreadQueries
  mine: MyThread
  /** Wrote in it, so that its news come, or muted them. */
  takesPart: boolean
}

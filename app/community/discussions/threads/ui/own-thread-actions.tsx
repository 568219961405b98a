/** Quote, mute, edit, delete. Load it lazily. */
import { Bell, BellOff, Pencil, Quote, Trash2 } from 'lucide'
import { useState } from 'react'
import { navigate } from '#app/kit/ui/address.ts'
import { Button, buttonClasses } from '#app/kit/ui/button.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import type { MyThread, Thread } from '../../discussion.contract.ts'
import type { ThreadQueries } from '../../discussion-actions.data.ts'
import { MorePostActions, takesPart, toggleMuted } from '../../posts/ui/more-post-actions.tsx'

const ThreadDeletionDialog = lazyDialog(() =>
  import('../../posts/ui/post-deletion-dialog.tsx').then((it) => it.ThreadDeletionDialog),
)

/** Side by side if there's room, or in a menu on a phone. */
export function OwnThreadActions(props: OwnThreadActionsProps) {
  const { thread, queries, myThread, onReport, onQuote } = props
  const [isDeleting, setDeleting] = useState(false)
  const edit = `/edit-thread/${thread.id}`
  const remove = () => setDeleting(true)
  return (
    <>
      <span className="contents max-md:hidden">
        {onQuote && (
          <Button
            variant="ghost"
            size="sm"
            icon={<Icon of={Quote} />}
            onMouseDown={(event) => event.preventDefault()}
            onClick={onQuote}
          >
            Quote
          </Button>
        )}
        {takesPart(myThread) && (
          <Button
            variant="ghost"
            size="sm"
            aria-pressed={myThread.isMuted}
            icon={<Icon of={myThread.isMuted ? BellOff : Bell} />}
            onClick={() => toggleMuted(queries, myThread)}
          >
            Mute
          </Button>
        )}
        {myThread.can.edit && (
          <a href={edit} className={buttonClasses('ghost', 'sm')}>
            <Icon of={Pencil} />
            Edit
          </a>
        )}
        {myThread.can.delete && (
          <Button
            variant="ghost"
            size="sm"
            icon={<Icon of={Trash2} />}
            {...ThreadDeletionDialog.preload}
            onClick={remove}
          >
            Delete
          </Button>
        )}
      </span>
      <MorePostActions
        of="this thread"
        queries={queries}
        myThread={myThread}
        actions={{
          ...(onQuote && { quote: onQuote }),
          ...(!myThread.isMine && { report: onReport }),
          ...(myThread.can.edit && { edit: () => navigate(edit) }),
          ...(myThread.can.delete && { delete: remove }),
        }}
      />
      {myThread.can.delete && (
        <ThreadDeletionDialog open={isDeleting} onOpenChange={setDeleting} queries={queries} />
      )}
    </>
  )
}

interface OwnThreadActionsProps {
  thread: Thread
  queries: ThreadQueries
  myThread: MyThread
  onReport: () => void
  onQuote?: () => void
}

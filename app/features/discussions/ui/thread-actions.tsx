/** What one can do with a thread: vote, save, share, mute, report, and change or delete one's own. */
import { Bell, BellOff, Bookmark, Flag, Pencil, Share2, Trash2 } from 'lucide'
import { lazy, Suspense, useState } from 'react'
import { navigate } from '../../../ui/address.ts'
import { Button, buttonLook } from '../../../ui/button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Icon } from '../../../ui/icon.tsx'
import { openable } from '../../../ui/openable.tsx'
import { toast } from '../../../ui/toast.ts'
import { tellOfFailure } from '../../accounts/ui/tell-of-failure.ts'
import type { MyThread, Thread } from '../discussion.contract.ts'
import {
  type Desk,
  deleteThread,
  muteThread,
  saveThread,
  voteThread,
} from '../discussion-actions.data.ts'
import { threadDeleted, threadNotDeleted } from '../post-deletion.ts'
import { share } from './share.ts'
import { VoteButtons } from './vote-buttons.tsx'

const PostDeletionDialog = openable(() =>
  import('./post-deletion-dialog.tsx').then((it) => it.PostDeletionDialog),
)
const ReportDialog = openable(() =>
  import('../../moderation/ui/report-dialog.tsx').then((it) => it.ReportDialog),
)
const ThreadTools = lazy(() =>
  import('../../moderation/ui/post-tools.tsx').then((it) => ({ default: it.ThreadTools })),
)

export function ThreadActions({ thread, desk, mine }: ThreadActionsProps) {
  const [isDeleting, setDeleting] = useState(false)
  const [isReporting, setReporting] = useState(false)
  const isSaved = mine?.isSaved ?? false
  const takesPart = mine && (mine.name !== null || mine.isMuted)
  return (
    <div className="mt-6 flex flex-wrap items-center gap-x-2 gap-y-2">
      <VoteButtons
        of="this thread"
        isOwn={mine?.isMine}
        score={thread.score}
        vote={mine?.vote}
        onVote={(vote) =>
          voteThread(desk, { score: thread.score, vote: mine?.vote ?? 0 }, vote).catch(
            tellOfFailure('Your vote did not count'),
          )
        }
      />
      <span className="contents no-js:hidden">
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={isSaved}
          aria-disabled={mine === undefined || undefined}
          icon={<Icon of={Bookmark} className={cx('size-4', isSaved && 'fill-current')} />}
          className={cx('aria-disabled:opacity-100', isSaved && 'text-tea')}
          onClick={() =>
            mine &&
            saveThread(desk, !isSaved).catch(
              tellOfFailure(isSaved ? 'Could not forget it' : 'Could not save it'),
            )
          }
        >
          Save
        </Button>
        <Button
          variant="ghost"
          size="sm"
          icon={<Icon of={Share2} />}
          onClick={() => share(thread.title, thread.path)}
        >
          Share
        </Button>
        {takesPart && (
          <Button
            variant="ghost"
            size="sm"
            aria-pressed={mine.isMuted}
            icon={<Icon of={mine.isMuted ? BellOff : Bell} />}
            onClick={() =>
              muteThread(desk, !mine.isMuted).catch(
                tellOfFailure(mine.isMuted ? 'It stays muted' : 'It could not be muted'),
              )
            }
          >
            Mute
          </Button>
        )}
        {!mine?.isMine && (
          <>
            <Button
              variant="ghost"
              size="sm"
              aria-disabled={mine === undefined || undefined}
              icon={<Icon of={Flag} />}
              className="aria-disabled:opacity-100"
              {...ReportDialog.warm}
              onClick={() => mine && setReporting(true)}
            >
              Report
            </Button>
            <ReportDialog
              open={isReporting}
              onOpenChange={setReporting}
              post={{ kind: 'thread', id: thread.id }}
            />
          </>
        )}
        {mine?.can.edit && (
          <a href={`/edit-thread/${thread.id}`} className={buttonLook('ghost', 'sm')}>
            <Icon of={Pencil} />
            Edit
          </a>
        )}
        {mine?.can.delete && (
          <>
            <Button
              variant="ghost"
              size="sm"
              icon={<Icon of={Trash2} />}
              {...PostDeletionDialog.warm}
              onClick={() => setDeleting(true)}
            >
              Delete
            </Button>
            <PostDeletionDialog
              open={isDeleting}
              onOpenChange={setDeleting}
              what="thread"
              text="It goes with all its comments, and nobody can bring it back."
              onDelete={() => deleteAndTell(desk)}
            />
          </>
        )}
        {mine?.can.moderate && (
          <Suspense>
            <ThreadTools thread={thread} />
          </Suspense>
        )}
      </span>
    </div>
  )
}

/** In the words of Spec §8. */
async function deleteAndTell(desk: Desk) {
  try {
    const title = await deleteThread(desk)
    navigate('/discussions', { replace: true })
    toast(threadDeleted(title))
  } catch (error) {
    toast(threadNotDeleted(error as { status?: number; message?: string }))
  }
}

interface ThreadActionsProps {
  thread: Thread
  desk: Desk
  mine: MyThread | undefined
}

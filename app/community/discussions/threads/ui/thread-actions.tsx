import { Bookmark, Flag, Share2 } from 'lucide'
import { useState } from 'react'
import { reportError } from '#app/kit/forms/refusal.ts'
import { navigate } from '#app/kit/ui/address.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { cx } from '#app/kit/ui/cx.ts'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyComponent } from '#app/kit/ui/lazy-component.tsx'
import { share } from '#app/kit/ui/share.ts'
import { toast } from '#app/kit/ui/toast.ts'
import { ReportDialog } from '../../../reports/ui/report-button.tsx'
import type { MyThread, Thread } from '../../discussion.contract.ts'
import { saveThread, type ThreadQueries, voteThread } from '../../discussion-actions.data.ts'
import { VoteButtons } from '../../votes/ui/vote-buttons.tsx'

/** Depends on the session, which loads after the page. */
const OwnThreadActions = lazyComponent(() =>
  import('./own-thread-actions.tsx').then((it) => it.OwnThreadActions),
)
const ThreadTools = lazyComponent(() =>
  import('../../../reports/ui/post-tools.tsx').then((it) => it.ThreadTools),
)

const SAVED = {
  id: 'saved',
  title: 'Thread saved for later',
  action: { label: 'Saved threads', onPress: () => navigate('/my-discussions?tab=saved') },
}

export function ThreadActions({ thread, queries, myThread, onQuote }: ThreadActionsProps) {
  const [isReporting, setReporting] = useState(false)
  const isSaved = myThread?.isSaved ?? false
  return (
    <div className="mt-6 flex flex-wrap items-center gap-y-2 md:gap-x-2">
      <VoteButtons
        of="this thread"
        isOwn={myThread?.isMine}
        score={thread.score}
        vote={myThread?.vote}
        onVote={(vote) =>
          voteThread(queries, { score: thread.score, vote: myThread?.vote ?? 0 }, vote).catch(
            reportError('Your vote didn’t count'),
          )
        }
      />
      <span className="contents no-js:hidden">
        <Button
          variant="ghost"
          size="sm"
          aria-pressed={isSaved}
          aria-disabled={myThread === undefined || undefined}
          icon={<Icon of={Bookmark} className={cx('size-4', isSaved && 'fill-current')} />}
          className={cx('aria-disabled:opacity-100', isSaved && 'text-tea')}
          onClick={() =>
            myThread &&
            saveThread(queries, !isSaved).then(
              () => !isSaved && toast(SAVED),
              reportError(isSaved ? 'Couldn’t remove it' : 'Couldn’t save it'),
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
        {!myThread?.isMine && (
          <>
            <Button
              variant="ghost"
              size="sm"
              aria-disabled={myThread === undefined || undefined}
              icon={<Icon of={Flag} />}
              className="aria-disabled:opacity-100 max-md:hidden"
              {...ReportDialog.preload}
              onClick={() => myThread && setReporting(true)}
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
        {myThread && (
          <OwnThreadActions
            thread={thread}
            queries={queries}
            myThread={myThread}
            onReport={() => setReporting(true)}
            onQuote={myThread.can.comment ? onQuote : undefined}
          />
        )}
        {myThread?.can.moderate && <ThreadTools thread={thread} />}
      </span>
    </div>
  )
}

interface ThreadActionsProps {
  thread: Thread
  queries: ThreadQueries
  myThread: MyThread | undefined
  /** Undefined if there's nothing to quote, or commenting is off. */
  onQuote?: () => void
}

/** Quote, share, report, edit, delete. Load it lazily. */
import { Flag, Quote, Share2 } from 'lucide'
import { useState } from 'react'
import { Icon } from '#app/kit/ui/icon.tsx'
import { lazyDialog } from '#app/kit/ui/lazy-component.tsx'
import { share } from '#app/kit/ui/share.ts'
import { ReportDialog } from '../../../reports/ui/report-button.tsx'
import type { Comment, MyThread } from '../../discussion.contract.ts'
import type { ThreadQueries } from '../../discussion-actions.data.ts'
import { MorePostActions } from '../../posts/ui/more-post-actions.tsx'

const CommentDeletionDialog = lazyDialog(() =>
  import('../../posts/ui/post-deletion-dialog.tsx').then((it) => it.CommentDeletionDialog),
)

/** Side by side if there's room, or in a menu on a phone, so a row stays one line. */
export function CommentActions(props: CommentActionsProps) {
  const { comment, name, isMine, queries, myThread, onEdit, onQuote } = props
  const [isDeleting, setDeleting] = useState(false)
  /** Undefined until someone needs it, because hundreds of rows do without the dialog. */
  const [isReporting, setReporting] = useState<boolean>()
  const { id } = comment
  const shareIt = () => share(document.title, `/thread/${queries.threadId}#comment-${id}`)
  const report = () => setReporting(true)
  const remove = () => setDeleting(true)
  return (
    <>
      <span className="contents max-md:hidden">
        {onQuote && (
          <button
            type="button"
            aria-label={`Quote ${name}`}
            data-tooltip="Quote"
            onMouseDown={(event) => event.preventDefault()}
            onClick={({ currentTarget }) => onQuote(currentTarget)}
            className="small-button"
          >
            <Icon of={Quote} className="size-3.5" />
          </button>
        )}
        {isMine && (
          <>
            <button
              type="button"
              aria-label={`Edit ${name}`}
              onClick={({ currentTarget }) => onEdit(currentTarget)}
              className="small-button"
            >
              Edit
            </button>
            <button
              type="button"
              aria-label={`Delete ${name}`}
              {...CommentDeletionDialog.preload}
              onClick={remove}
              className="small-button"
            >
              Delete
            </button>
          </>
        )}
        <button
          type="button"
          aria-label={`Share ${name}`}
          data-tooltip="Share"
          onClick={shareIt}
          className="small-button"
        >
          <Icon of={Share2} className="size-3.5" />
        </button>
        {!isMine && (
          <button
            type="button"
            aria-label={`Report ${name}`}
            data-tooltip="Report"
            {...ReportDialog.preload}
            onClick={report}
            className="small-button"
          >
            <Icon of={Flag} className="size-3.5" />
          </button>
        )}
      </span>
      <MorePostActions
        of={name}
        queries={queries}
        myThread={myThread}
        actions={{
          // The menu has returned focus to its button.
          ...(onQuote && { quote: () => onQuote(document.activeElement as HTMLElement) }),
          share: shareIt,
          ...(isMine
            ? { edit: () => onEdit(document.activeElement as HTMLElement), delete: remove }
            : { report }),
        }}
      />
      {isReporting !== undefined && (
        <ReportDialog
          open={isReporting}
          onOpenChange={setReporting}
          post={{ kind: 'comment', id }}
        />
      )}
      {isMine && (
        <CommentDeletionDialog
          open={isDeleting}
          onOpenChange={setDeleting}
          queries={queries}
          id={id}
        />
      )}
    </>
  )
}

interface CommentActionsProps {
  comment: Comment
  /** "comment by …" */
  name: string
  isMine: boolean
  queries: ThreadQueries
  myThread: MyThread
  /** @param opener gets the focus back afterwards */
  onEdit: (opener: HTMLElement) => void
  /** Undefined if commenting is off. @param opener gets the focus back afterwards */
  onQuote?: (opener: HTMLElement) => void
}

import { Button } from '../ui/button.tsx'
import { linkLook } from '../ui/looks.ts'
import type { SentElsewhere } from './draft.data.ts'

/** Above a form that goes on with a draft; offers to start over. Mount it with the form, so that it's announced. */
export function DraftRestored({ draft, isBlank = false, onDiscard }: DraftRestoredProps) {
  const { isRestored, sentElsewhere } = draft
  const isRestoredShown = isRestored && !isBlank
  return (
    <div role="status" className="contents">
      {(sentElsewhere || isRestoredShown) && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-md bg-sunken px-4 py-1 text-sm text-ink-soft">
          {sentElsewhere ? (
            <span className="py-1.5">
              {`You ${sentElsewhere.isEdit ? 'saved' : 'posted'} this in another tab. `}
              <a href={sentElsewhere.path} className={linkLook}>
                See your post
              </a>
              .
              {sentElsewhere.isKept &&
                !isBlank &&
                !sentElsewhere.isEdit &&
                ' What you typed here since is a new draft.'}
            </span>
          ) : (
            'Draft restored'
          )}
          {(sentElsewhere ? sentElsewhere.isKept && !isBlank : true) && (
            <Button variant="link" size="sm" onClick={onDiscard}>
              Discard
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

interface DraftRestoredProps {
  draft: { isRestored: boolean; sentElsewhere: SentElsewhere | undefined }
  /** The form has nothing to discard. */
  isBlank?: boolean
  onDiscard: () => void
}

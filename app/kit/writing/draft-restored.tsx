/** Says that a form goes on with an earlier draft, and offers to start over. */
import type { RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { linkLook } from '../ui/looks.ts'
import type { SentElsewhere } from './draft.data.ts'
import { KeepOrReplace, ShownText } from './keep-or-replace.tsx'

/** What the form of a new text, and that of a changed one, know of their draft: `useNewDraft`, `useEditDraft`. */
export interface FormDraft<Text = unknown> {
  text: Text
  change: (part: Partial<Text>) => void
  draft: { isRestored: boolean; sentElsewhere: SentElsewhere | undefined }
  /** There is nothing in the form that could be discarded. */
  isBlank: boolean
  discard: () => void
  /** What is there now, where saving would overwrite it unseen. */
  unseen?: string | undefined
  question?: RefObject<HTMLDivElement | null>
  replace?: () => void
  /** Why it can't be sent yet. */
  whyNot?: () => string | undefined
}

/** Asks, too, if what a change began with is another text by now. */
export function DraftNotice({ draft }: { draft: Omit<FormDraft, 'text' | 'change'> }) {
  const { isBlank, discard, unseen, question, replace } = draft
  return (
    <>
      <DraftRestored
        draft={draft.draft}
        isBlank={isBlank || unseen !== undefined}
        onDiscard={discard}
      />
      {unseen !== undefined && replace && (
        <KeepOrReplace
          ref={question}
          title="This was changed after you began. It now says:"
          replace="Replace it with my text"
          onKeep={discard}
          onReplace={replace}
        >
          <ShownText>{unseen}</ShownText>
        </KeepOrReplace>
      )}
    </>
  )
}

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

/** Says that a form continues an earlier draft, and offers to start over. */
import type { ReactNode, Ref, RefObject } from 'react'
import { Button } from '../ui/button.tsx'
import { linkClasses } from '../ui/class-names.ts'
import type { SentElsewhere } from './draft.data.ts'

/** What forms for new and changed texts know about their drafts: `useNewDraft`, `useEditDraft`. */
export interface FormDraft<Text = unknown> {
  text: Text
  change: (part: Partial<Text>) => void
  draft: { isRestored: boolean; sentElsewhere: SentElsewhere | undefined }
  /** Whether the form has nothing to discard. */
  isBlank: boolean
  discard: () => void
  /** The current text, if saving would overwrite it unseen. */
  unseen?: string | undefined
  question?: RefObject<HTMLDivElement | null>
  replace?: () => void
  /** Why the draft can't be sent yet. */
  whyNot?: () => string | undefined
}

/** Says that a draft was restored, and asks what to do if its original has changed since. */
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
          title="Someone changed this after you started writing. It now says:"
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

/**
 * Shown above a form that continues a draft, and offers to start over. Mount it with the form, so it's announced.
 * @param text for a form that people may believe was sent
 * @param children what sends it
 */
export function DraftRestored({
  draft,
  isBlank = false,
  text = 'Draft restored',
  onDiscard,
  children,
}: DraftRestoredProps) {
  const { isRestored, sentElsewhere } = draft
  const isRestoredShown = isRestored && !isBlank
  return (
    <div role="status" className="contents">
      {(sentElsewhere || isRestoredShown) && (
        <p className="flex flex-wrap items-center justify-between gap-x-4 rounded-md bg-sunken px-4 py-2 text-sm text-ink-soft">
          {sentElsewhere ? (
            <span className="py-1.5">
              {`You ${sentElsewhere.isEdit ? 'saved' : 'posted'} this in another tab. `}
              <a href={sentElsewhere.path} className={linkClasses}>
                See your post
              </a>
              .
              {sentElsewhere.isKept &&
                !isBlank &&
                !sentElsewhere.isEdit &&
                ' Anything you’ve typed here since then is a new draft.'}
            </span>
          ) : (
            text
          )}
          {(sentElsewhere ? sentElsewhere.isKept && !isBlank : true) && (
            <span className="flex flex-wrap items-center gap-x-4">
              {!sentElsewhere && children}
              <Button variant="link" size="sm" onClick={onDiscard}>
                Discard
              </Button>
            </span>
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
  text?: string
  onDiscard: () => void
  children?: ReactNode
}

/** There are two texts for one place. We overwrite nothing before the person chooses. */
export const KEEP_OR_REPLACE = 'Keep it, or replace it?'

/** @param children what isn't visible nearby */
export function KeepOrReplace({
  ref,
  title,
  children,
  replace,
  onKeep,
  onReplace,
}: KeepOrReplaceProps) {
  return (
    <div
      ref={ref}
      role="alert"
      tabIndex={-1}
      className="grid w-full scroll-mt-24 gap-3 rounded-lg bg-sunken p-4 text-sm leading-6 text-ink-soft outline-none"
    >
      <p className="font-semibold text-ink">{title}</p>
      {children}
      <p>{KEEP_OR_REPLACE}</p>
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary" size="sm" onClick={onKeep}>
          Keep it
        </Button>
        <Button variant="secondary" size="sm" onClick={onReplace}>
          {replace}
        </Button>
      </div>
    </div>
  )
}

export const ShownText = ({ children }: { children: string }) => (
  <blockquote className="max-h-40 overflow-y-auto border-l-2 border-line-strong pl-3 break-words whitespace-pre-wrap">
    <bdi>{children}</bdi>
  </blockquote>
)

interface KeepOrReplaceProps {
  ref?: Ref<HTMLDivElement>
  title: string
  children: ReactNode
  /** The label of the button that replaces. */
  replace: string
  onKeep: () => void
  onReplace: () => void
}

/** Unsent changes to a post, job or reply, which stay in this browser as all drafts do. */
import { useRef, useState } from 'react'
import { hasCode } from '#app/api/client.ts'
import { useSession } from '../session/session.data.ts'
import { type DraftKey, useDraft } from './draft.data.ts'
import { KEEP_OR_REPLACE } from './draft-notice.tsx'

export interface Edit<Text> {
  /** What the form holds. */
  text: Text
  /** When the change began, as far as the person knows. */
  seen: Text
  /** What the server has now. */
  theirs: Text
}

type IsSame<Text> = (one: Text, other: Text) => boolean

export const beginEdit = <Text>(theirs: Text): Edit<Text> => ({
  text: theirs,
  seen: theirs,
  theirs,
})

/** The text changed meanwhile. An untouched form shows the new text. We don't overwrite a changed form. */
export const withTheirs = <Text>(
  edit: Edit<Text>,
  theirs: Text,
  isSame: IsSame<Text>,
): Edit<Text> => (isSame(edit.text, edit.seen) ? beginEdit(theirs) : { ...edit, theirs })

/** Whether saving would overwrite something the person hasn't seen. */
export const isUnseen = <Text>({ text, seen, theirs }: Edit<Text>, isSame: IsSame<Text>) =>
  !isSame(theirs, seen) && !isSame(theirs, text)

/** Reads what `useEditDraft` stores. Drafts from older versions may lack parts. */
export function restoreEdit<Text extends object>(
  theirs: Text,
  { seen, ...found }: Partial<Text> & { seen?: Partial<Text> },
): Edit<Text> {
  return { text: partsOf(theirs, found), seen: partsOf(theirs, seen ?? {}), theirs }
}

function partsOf<Text extends object>(theirs: Text, found: object): Text {
  const parts = Object.entries(found).filter(([name]) => name in theirs)
  return { ...theirs, ...Object.fromEntries(parts) }
}

const isAlike = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other)

/**
 * Stores a change as `useDraft` stores a new text. If someone else changed the text meanwhile, the person must choose
 * which one to keep. Render `DraftNotice`, and ask `whyNot` before sending.
 */
export function useEditDraft<Text extends object>(parts: EditParts<Text>) {
  const { draftKey, source, refetch, title, isSame = isAlike, shownText = titleAndBody } = parts
  const who = useSession().me?.profile?.id
  const [edit, setEdit] = useState(() => beginEdit(source))
  const [known, setKnown] = useState(source)
  if (!isAlike(known, source)) {
    setKnown(source)
    setEdit(withTheirs(edit, source, isSame))
  }
  const { text, theirs } = edit
  const isUnchanged = isSame(text, theirs)
  const contentOf = ({ text, seen }: Edit<Text>): Content<Text> => ({
    ...(title !== undefined && { title }),
    ...text,
    seen,
  })
  const draft = useDraft<Content<Text>>({
    draftKey: { ...draftKey, isEdit: true, who },
    content: contentOf(edit),
    isBlank: isUnchanged,
    onRestore: (found) => setEdit((now) => restoreEdit(now.theirs, found)),
    onSentElsewhere: (isKept, sent) => {
      const saved = sent ? restoreEdit(theirs, sent).text : theirs
      const next = isKept ? { ...edit, theirs: saved } : beginEdit(saved)
      setEdit(next)
      // The server stores it slightly tidied.
      refetch()
      return contentOf(next)
    },
  })
  const begin = (next: Edit<Text>) => {
    draft.clear(contentOf(next))
    setEdit(next)
  }
  const question = useRef<HTMLDivElement>(null)
  const isAsked = isUnseen(edit, isSame)
  return {
    text,
    /** The text that was changed. The server refuses if it's outdated. */
    theirs,
    change: (part: Partial<Text>) => setEdit((now) => ({ ...now, text: { ...now.text, ...part } })),
    draft,
    isBlank: isUnchanged,
    /** The person hasn't seen the current text, which is in `theirs`, so the form asks. */
    unseen: isAsked ? shownText(theirs) : undefined,
    question,
    /** Drops the change. */
    discard: () => begin(beginEdit(theirs)),
    /** Keeps the change, now that the person knows what it replaces. */
    replace: () => setEdit((now) => ({ ...now, seen: now.theirs })),
    /** Why the change can't be sent yet. */
    whyNot: () => {
      if (!isAsked) return undefined
      question.current?.focus()
      return KEEP_OR_REPLACE
    },
    /** Sends the change. If someone else was faster, loads their text and asks the person. */
    send: <Answer>(request: () => Promise<Answer>) =>
      request().catch((error) => {
        if (hasCode(error, 'changed-meanwhile')) refetch()
        throw error
      }),
    /** Saved, at `path`. */
    saved: (path: string) => {
      const next = beginEdit(text)
      draft.sent(contentOf(next), path)
      setEdit(next)
    },
  }
}

type Content<Text> = Text & { seen: Text }

interface EditParts<Text> {
  draftKey: Pick<DraftKey, 'kind' | 'key' | 'path'>
  /** The current text on the server. */
  source: Text
  /** Loads it again. */
  refetch: () => unknown
  /** The name in the list of drafts, if the text has no title. */
  title?: string
  isSame?: IsSame<Text>
  /** What people see of a text. */
  shownText?: (text: Text) => string
}

const titleAndBody = (text: { title?: string | null; body?: string }) =>
  [text.title, text.body].filter(Boolean).join('\n\n')

import { useDraft } from '#app/kit/writing/draft.data.ts'
import { type EntryKind, TABS } from '../presented/own-entries.data.ts'
import type { RatedCompany } from '../rating.data.ts'

/** What a person types about a year's pay, interview or benefits, stored in this browser. */
export function useEntryDraft<Typed>({
  kind,
  company,
  year,
  typed,
  given,
  body,
  onTyped,
}: EntryDraftParts<Typed>) {
  const path = `${company.path}?tab=${TABS[kind]}`
  const keptOf = (typed: Typed): Kept<Typed> => ({
    title: `Your ${kind} at ${company.name}`,
    ...(body !== undefined && { body }),
    typed,
  })
  const isBlank = JSON.stringify(typed) === JSON.stringify(given)
  const draft = useDraft<Kept<Typed>>({
    draftKey: {
      kind,
      key: [company.id, year].filter(Boolean).join(':'),
      path: `${path}&give=yes${year ? `&year=${year}` : ''}`,
    },
    content: keptOf(typed),
    isBlank,
    onRestore: (found) => onTyped({ ...given, ...found.typed }),
    onSentElsewhere: () => keptOf(typed),
  })
  const { isRestored, sentElsewhere } = draft
  return {
    isRestored,
    sentElsewhere,
    isBlank,
    startOver: () => {
      draft.clear(keptOf(given))
      onTyped(given)
    },
    sent: () => draft.sent(keptOf(typed), path),
  }
}

/** Title and body are for the list of drafts. */
interface Kept<Typed> {
  title: string
  body?: string
  typed: Typed
}

interface EntryDraftParts<Typed> {
  kind: EntryKind
  company: RatedCompany
  /** Of what's changed. */
  year: number | undefined
  typed: Typed
  /** What the form began with. */
  given: Typed
  /** The text for the list of drafts, if there is one. */
  body?: string
  onTyped: (typed: Typed) => void
}

/** Above a form that goes on with a change. Asks what to do if the text changed meanwhile. */
import { DraftRestored } from './draft-restored.tsx'
import type { EditDraft } from './edit-draft.data.ts'
import { KeepOrReplace, ShownText } from './keep-or-replace.tsx'

/** @param wordsOf what people see of a text */
export function EditRestored<Text extends object>({ edit, wordsOf }: EditRestoredProps<Text>) {
  return (
    <>
      <DraftRestored
        draft={edit.draft}
        isBlank={edit.isUnchanged || edit.isAsked}
        onDiscard={edit.discard}
      />
      {edit.isAsked && (
        <KeepOrReplace
          ref={edit.question}
          title="This changed while you were editing. It now says:"
          replace="Replace it with my text"
          onKeep={edit.discard}
          onReplace={edit.replace}
        >
          <ShownText>{wordsOf(edit.theirs)}</ShownText>
        </KeepOrReplace>
      )}
    </>
  )
}

interface EditRestoredProps<Text extends object> {
  edit: EditDraft<Text>
  wordsOf: (text: Text) => string
}

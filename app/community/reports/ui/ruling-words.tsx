/** A moderator's text to an author, typed or from a template. The server fills in its placeholders for each post. */
import { useQuery } from '@tanstack/react-query'
import { useApi } from '#app/api/client.ts'
import { NoteField, noteProblem } from '#app/kit/forms/act-fields.tsx'
import { Select } from '#app/kit/ui/field.tsx'
import type { ReportContract } from '../report.contract.ts'
import { templatesQuery } from '../report.data.ts'
import { RULING_NOTE_MAX } from '../report.ts'
import { PLACEHOLDERS_TEXT, placeholderProblem, withTemplate } from '../ruling-text.ts'

export const rulingProblem = (note: string) =>
  noteProblem(note, RULING_NOTE_MAX) ?? placeholderProblem(note)

export function RulingWords({ label, hint, note, onChange }: RulingWordsProps) {
  const templates = useQuery(templatesQuery(useApi<ReportContract>())).data ?? []
  return (
    <>
      {templates.length > 0 && (
        <Select
          label="Template"
          value=""
          onChange={({ target }) => {
            const chosen = templates.find(({ id }) => id === target.value)
            if (chosen) onChange(withTemplate(note, chosen.body, templates))
          }}
        >
          <option value="">Choose one...</option>
          {templates.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <NoteField
        label={label}
        hint={
          /[{}]/.test(note) ? `${PLACEHOLDERS_TEXT} are filled in for each post. ${hint}` : hint
        }
        note={note}
        onChange={onChange}
        max={RULING_NOTE_MAX}
        error={placeholderProblem(note)}
      />
    </>
  )
}

interface RulingWordsProps {
  label: string
  hint: string
  note: string
  onChange: (note: string) => void
}

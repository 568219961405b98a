import { X } from 'lucide'
import { useState } from 'react'
import { IconButton } from '#app/kit/ui/button.tsx'
import { Combobox } from '#app/kit/ui/combobox.tsx'
import { FieldNotes, useField } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { TITLE_MAX } from '../pay.ts'
import { type Title, titleName, titlesLike } from '../titles.ts'

/** Finds a title's family by any of its spellings. What's typed stays in the browser. */
export function TitlePicker({ legend, title, onPick, error }: TitlePickerProps) {
  const [typed, setTyped] = useState('')
  const field = useField({ label: legend, error })
  return (
    <fieldset className="grid content-start gap-1.5">
      <legend className="mb-1.5 text-sm font-medium text-ink">{legend}</legend>
      {title ? (
        <p className="flex min-h-11 items-center gap-3 rounded-md border border-line bg-surface pr-1 pl-3 text-sm md:min-h-10">
          <span className="min-w-0 flex-1 truncate font-medium text-ink">{titleName(title)}</span>
          <IconButton label={`Not ${titleName(title)}`} onClick={() => onPick('')}>
            <Icon of={X} />
          </IconButton>
        </p>
      ) : (
        <Combobox<Title>
          label={legend}
          placeholder="Such as nurse or data analyst"
          maxLength={TITLE_MAX}
          inputValue={typed}
          onInputChange={setTyped}
          items={titlesLike(typed).slice(0, 12)}
          itemKey={({ key }) => key}
          itemLabel={({ name }) => name}
          onSelect={({ key }) => {
            setTyped('')
            onPick(key)
          }}
          onSubmitText={() => {}}
          status={typed.trim() === '' ? 'idle' : 'ready'}
          loadingText=""
          emptyText="No such title. Try another word for it, and choose the nearest."
        />
      )}
      <FieldNotes error={error} ids={field} />
    </fieldset>
  )
}

interface TitlePickerProps {
  legend: string
  title: string
  /** Empty if it's taken back. */
  onPick: (title: string) => void
  error?: string | undefined
}

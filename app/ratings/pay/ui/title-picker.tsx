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
  const items = typed.trim() === '' ? [] : titlesLike(typed).slice(0, 12)
  const pick = ({ key }: Title) => {
    setTyped('')
    onPick(key)
  }
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
          placeholder="For example, nurse"
          maxLength={TITLE_MAX}
          inputValue={typed}
          onInputChange={setTyped}
          items={items}
          itemKey={({ key }) => key}
          itemLabel={({ name }) => name}
          onSelect={pick}
          // Enter takes the best match.
          onSubmitText={() => items[0] && pick(items[0])}
          status={typed.trim() === '' ? 'idle' : 'ready'}
          loadingText=""
          emptyText="We don’t have that title. Try another word, and choose the closest."
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

/** How to read a file: a question about what we can't tell, and a way to correct what we recognised. */
import { type FormEvent, useState } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { Choice, Select, TextField } from '#app/kit/ui/field.tsx'
import {
  choiceName,
  ENCODING_NAMES,
  ENCODINGS,
  type Encoding,
  questionTitle,
  type Reading,
  type ReadingQuestion,
  SEPARATORS,
} from '../file-reading.ts'
import { StepHeading } from './step-heading.tsx'

interface ImportReadingProps {
  question: ReadingQuestion
  /** What's chosen so far. */
  reading: Reading
  name: string
  isBusy: boolean
  onRead: (reading: Reading) => void
  onBack: () => void
}

const OTHER = 'other'

export function ImportReading(props: ImportReadingProps) {
  const { question, reading, name, isBusy, onRead, onBack } = props
  const { about, choices } = question
  const [chosen, setChosen] = useState<string | number>()
  const [encoding, setEncoding] = useState<Encoding>('utf-8')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (chosen !== undefined) onRead({ ...reading, [about]: chosen === OTHER ? encoding : chosen })
  }
  return (
    <form className="grid min-w-0 gap-5" onSubmit={send}>
      <div>
        <StepHeading>{questionTitle(question)}</StepHeading>
        <p className="mt-1 text-sm break-words text-ink-soft">
          {`Which one reads right? These are rows of ${name}.`}
        </p>
      </div>
      <div role="radiogroup" aria-label={questionTitle(question)} className="grid gap-3">
        {choices.map(({ value, rows }) => (
          <Choice
            key={value}
            name="reading"
            value={String(value)}
            isChosen={chosen === value}
            onChoose={() => setChosen(value)}
            title={choiceName(about, value)}
            text={<Rows rows={rows} />}
          />
        ))}
        {about === 'encoding' && (
          <Choice
            name="reading"
            value={OTHER}
            isChosen={chosen === OTHER}
            onChoose={() => setChosen(OTHER)}
            title="None of these"
          />
        )}
      </div>
      {chosen === OTHER && <EncodingSelect value={encoding} onChange={setEncoding} />}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" disabled={chosen === undefined} busy={isBusy} busyLabel="Reading...">
          Continue
        </Button>
        <Button variant="secondary" disabled={isBusy} onClick={onBack}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

/** Rows keep the direction of their own script. */
const Rows = ({ rows }: { rows: string[] }) =>
  rows.map((row, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: rows can be equal, and never move.
    <span key={i} dir="auto" className="block [overflow-wrap:anywhere]">
      {row}
    </span>
  ))

interface EncodingSelectProps {
  value: Encoding
  onChange: (encoding: Encoding) => void
}

const EncodingSelect = ({ value, onChange }: EncodingSelectProps) => (
  <Select
    label="Encoding"
    value={value}
    onChange={({ target }) => onChange(target.value as Encoding)}
  >
    {ENCODING_NAMES.map((name) => (
      <option key={name} value={name}>
        {ENCODINGS[name]}
      </option>
    ))}
  </Select>
)

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

interface ReadingDetailsProps {
  reading: Reading
  isBusy: boolean
  onRead: (reading: Reading) => void
}

/** Collapsed, because we're usually right. */
export function ReadingDetails({ reading, isBusy, onRead }: ReadingDetailsProps) {
  const [changed, setChanged] = useState(reading)
  const { encoding = 'utf-8', separator, titles, list } = changed
  const facts = (['separator', 'titles', 'list'] as const).flatMap((about) => {
    const value = reading[about]
    return value === undefined ? [] : [lowerFirst(choiceName(about, value))]
  })
  return (
    <details className="min-w-0 text-sm">
      <summary className="cursor-pointer py-1 leading-6 text-ink-soft">
        {`How we read it: ${[ENCODINGS[reading.encoding ?? 'utf-8'], ...facts].join(', ')}`}
      </summary>
      <div className="mt-3 grid gap-4 rounded-lg border border-line p-4 sm:grid-cols-2">
        <EncodingSelect
          value={encoding}
          onChange={(encoding) => setChanged({ ...changed, encoding })}
        />
        {separator !== undefined && (
          <Select
            label="Columns are separated by"
            value={separator}
            onChange={({ target }) => setChanged({ ...changed, separator: target.value })}
          >
            {Object.entries({ [separator]: `“${separator}”`, ...SEPARATORS }).map(
              ([value, name]) => (
                <option key={value} value={value}>
                  {name}
                </option>
              ),
            )}
          </Select>
        )}
        {titles !== undefined && (
          <TextField
            label="Row with the titles"
            hint="0 if there are none"
            inputMode="numeric"
            value={String(titles)}
            onChange={({ target }) =>
              setChanged({
                ...changed,
                titles: Number(target.value.replace(/\D/g, '').slice(0, 4)),
              })
            }
          />
        )}
        {list !== undefined && (
          <TextField
            label="Where the companies are"
            hint="Such as data.items"
            value={list}
            onChange={({ target }) => setChanged({ ...changed, list: target.value })}
          />
        )}
        <div className="self-end">
          <Button variant="secondary" size="sm" busy={isBusy} onClick={() => onRead(changed)}>
            Read it again
          </Button>
        </div>
      </div>
    </details>
  )
}

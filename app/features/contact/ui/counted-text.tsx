/** Several lines with a limit, counted while they are written. */
import { grouped } from '../../../ui/number.ts'
import { TextArea } from '../../../ui/text-field.tsx'

export function CountedText({ label, hint, name, text, onChange, max, error }: CountedTextProps) {
  const { length } = text.trim()
  const tooLong = length > max ? `At most ${grouped(max)} characters, please` : undefined
  return (
    <div>
      <TextArea
        label={label}
        hint={hint}
        name={name}
        required
        value={text}
        onChange={(event) => onChange(event.target.value)}
        error={tooLong ?? error}
      />
      <p className="mt-1 text-right text-xs text-ink-faint tabular-nums">
        {`${grouped(length)} of ${grouped(max)}`}
        <span className="sr-only"> characters</span>
      </p>
    </div>
  )
}

interface CountedTextProps {
  label: string
  hint?: string
  name?: string
  text: string
  onChange: (text: string) => void
  max: number
  error?: string
}

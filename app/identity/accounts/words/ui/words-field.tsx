import { type ChangeEvent, useRef } from 'react'
import { Button } from '#app/kit/ui/button.tsx'
import { TextArea } from '#app/kit/ui/field.tsx'

/** A file of words has a few hundred bytes. We read no more of other files. */
const FILE_MAX = 10_000

export function WordsField({ value, error, onValue }: WordsFieldProps) {
  return (
    <TextArea
      label="Twelve words"
      rows={3}
      value={value}
      error={error}
      // Some browsers send what they spell-check or complete to their maker.
      spellCheck={false}
      autoComplete="off"
      autoCapitalize="none"
      autoCorrect="off"
      translate="no"
      onChange={(event) => onValue(event.target.value)}
    />
  )
}

interface WordsFieldProps {
  value: string
  error: string | undefined
  onValue: (value: string) => void
}

export function WordsFileButton({ onText }: { onText: (text: string) => void }) {
  const input = useRef<HTMLInputElement>(null)
  const choose = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // Without this, choosing the same file again is no change event.
    target.value = ''
    if (file) onText(await file.slice(0, FILE_MAX).text())
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".txt,text/plain"
        aria-label="File with your words"
        className="sr-only"
        tabIndex={-1}
        onChange={choose}
      />
      <Button variant="secondary" onClick={() => input.current?.click()}>
        Choose the file
      </Button>
    </>
  )
}

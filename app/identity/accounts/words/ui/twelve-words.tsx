import { Copy, Download } from 'lucide'
import { type ChangeEvent, useRef } from 'react'
import { saveAs } from '#app/kit/session/download.tsx'
import { useSite } from '#app/kit/session/site.tsx'
import { Button } from '#app/kit/ui/button.tsx'
import { TextArea } from '#app/kit/ui/field.tsx'
import { Icon } from '#app/kit/ui/icon.tsx'
import { copyText } from '#app/kit/ui/share.ts'

/** A file of words has a few hundred bytes. We read no more of other files. */
const FILE_MAX = 10_000

export function WordsField({ value, error, onValue }: WordsFieldProps) {
  return (
    <TextArea
      label="Twelve words"
      rows={3}
      value={value}
      error={error}
      // Some browsers send text to their maker for spell checking or completion.
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
    // Without this, choosing the same file again doesn't fire a change event.
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

export function WordsList({ words, fileOf }: WordsListProps) {
  const { siteName } = useSite()
  const save = () => {
    const { name, blob } = fileOf(siteName)
    saveAs(name, blob)
  }
  return (
    <>
      <ol
        aria-label="Your twelve words"
        // Translating a word would change the key.
        translate="no"
        className="grid grid-flow-col grid-cols-2 grid-rows-6 gap-x-6 rounded-lg bg-sunken px-4 py-3 text-[0.9375rem] leading-8 text-ink sm:grid-cols-3 sm:grid-rows-4"
      >
        {words.map((word, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a word may occur twice
          <li key={i} className="flex gap-3">
            <span
              aria-hidden="true"
              className="w-5 text-right text-sm leading-8 text-ink-faint tabular-nums"
            >
              {i + 1}
            </span>
            <span className="font-medium">{word}</span>
          </li>
        ))}
      </ol>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="sm"
          icon={<Icon of={Copy} />}
          onClick={() => copyText(words.join(' '), 'Words copied')}
        >
          Copy the words
        </Button>
        <Button variant="secondary" size="sm" icon={<Icon of={Download} />} onClick={save}>
          Save as a file
        </Button>
      </div>
    </>
  )
}

interface WordsListProps {
  words: string[]
  fileOf: (siteName: string) => { name: string; blob: Blob }
}

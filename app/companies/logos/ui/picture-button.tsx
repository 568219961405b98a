/** Picks a picture and sends it. */
import { type ChangeEvent, useRef, useState } from 'react'
import { errorSentence } from '#app/kit/forms/refusal.ts'
import { Button } from '#app/kit/ui/button.tsx'
import { LOGO_FILE_MAX, LOGO_REFUSALS, LOGO_TYPES } from '../logo.ts'

export const PICTURE_HINT = 'PNG, JPEG, WebP, AVIF, GIF, BMP or ICO, up to 2 MB.'

interface PictureButtonProps {
  /** Of the file, for screen readers. */
  label: string
  send: (file: File) => Promise<void>
  /** Called with undefined once another file is picked. */
  onProblem: (sentence: string | undefined) => void
  /** What it belongs to, if a page has several. */
  describedBy?: string
}

export function PictureButton({ label, send, onProblem, describedBy }: PictureButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  const [isBusy, setBusy] = useState(false)
  const upload = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    // Lets people choose the same file again.
    target.value = ''
    if (!file) return
    if (file.size > LOGO_FILE_MAX) return onProblem(LOGO_REFUSALS.tooLarge)
    onProblem(undefined)
    setBusy(true)
    try {
      await send(file)
    } catch (error) {
      onProblem(errorSentence(error))
    }
    setBusy(false)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={LOGO_TYPES.join()}
        aria-label={label}
        className="sr-only"
        tabIndex={-1}
        onChange={upload}
      />
      <Button
        size="sm"
        variant="secondary"
        aria-describedby={describedBy}
        busy={isBusy}
        busyLabel="Uploading..."
        onClick={() => input.current?.click()}
      >
        Upload a picture
      </Button>
    </>
  )
}

/** Downloads what needs a token, and what the page already has. */

import { Download } from 'lucide'
import { useState } from 'react'
import { responseError } from '#app/api/client.ts'
import { reportError } from '../forms/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { fetchAsMe } from './session.data.ts'

/** Saves the file or says why not. Never rejects. */
export async function savePrivateFile(name: string, url: string) {
  try {
    const response = await fetchAsMe(url)
    if (!response.ok) throw await responseError(response)
    saveAs(name, await response.blob())
  } catch (error) {
    reportError('Download failed')(error)
  }
}

export function CsvButton({ onSave }: { onSave: () => Promise<void> }) {
  const [isBusy, setBusy] = useState(false)
  return (
    <Button
      variant="secondary"
      size="sm"
      icon={<Icon of={Download} />}
      aria-disabled={isBusy || undefined}
      onClick={async () => {
        if (isBusy) return
        setBusy(true)
        await onSave()
        setBusy(false)
      }}
    >
      Download CSV
    </Button>
  )
}

export function saveAs(name: string, blob: Blob) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Later, because some browsers start reading after the click.
  setTimeout(URL.revokeObjectURL, 10_000, link.href)
}

/** Downloads: of what needs a token, and of what the page holds. */

import { Download } from 'lucide'
import { useState } from 'react'
import { ApiError } from '#app/api/client.ts'
import { reportError } from '../forms/refusal.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { credentials } from './session.data.ts'

/** Saves the file or says why not. Never rejects. */
export async function savePrivateFile(name: string, url: string) {
  try {
    saveAs(name, await fetchFile(url))
  } catch (error) {
    reportError('Download failed')(error)
  }
}

/** Retries with a fresh token. @throws ApiError */
async function fetchFile(url: string): Promise<Blob> {
  const send = (token?: string) =>
    fetch(url, {
      credentials: 'same-origin',
      headers: token ? { authorization: `Bearer ${token}` } : {},
    })
  const given = await credentials.token()
  let answer = await send(given)
  if (answer.status === 401 && given) answer = await send(await credentials.renew(given))
  if (answer.ok) return answer.blob()
  const { error } = (await answer.json().catch(() => ({}))) as Refused
  throw new ApiError(answer.status, error?.code ?? 'unknown', error?.message ?? '')
}

interface Refused {
  error?: { code?: string; message?: string }
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
  // Later, as some browsers start reading after the click.
  setTimeout(URL.revokeObjectURL, 10_000, link.href)
}

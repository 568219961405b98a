/** Downloads that need a token. */
import { ApiError } from '#app/api/client.ts'
import { refusalOf } from '../forms/refusal.ts'
import { saveAs } from '../ui/save-as.ts'
import { toast } from '../ui/toast.ts'
import { credentials } from './session.data.ts'

/** Saves the file or says why not. Never rejects. */
export async function savePrivateFile(name: string, url: string) {
  try {
    saveAs(name, await fetchFile(url))
  } catch (error) {
    toast({ title: 'Download failed', description: refusalOf(error), variant: 'destructive' })
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

import { hasCode, responseError } from '#app/api/client.ts'
import { askToReauthenticate, fetchAsMe } from '#app/kit/session/session.data.ts'

/**
 * Sends a file. If the server wants the person to confirm who they are, they do, and it's sent again.
 * @throws ApiError
 */
export async function postPicture(url: string, file: File) {
  const send = async () => {
    const response = await fetchAsMe(url, {
      method: 'POST',
      headers: { 'content-type': /^image\//.test(file.type) ? file.type : 'image/unknown' },
      body: file,
    })
    return response.ok ? undefined : responseError(response)
  }
  const error = await send()
  const isAsked = hasCode(error, 'reauthentication-needed')
  const left = isAsked && (await askToReauthenticate()) ? await send() : error
  if (left) throw left
}

import { credentials } from '#app/kit/session/session.data.ts'

/** @throws an error with the server's sentence */
export async function sendLogo(companyId: string, file: File): Promise<string> {
  const send = async (token?: string) =>
    fetch(`/api/v1/companies/${companyId}/logo`, {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        'content-type': /^image\//.test(file.type) ? file.type : 'image/unknown',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      body: file,
    })
  const token = await credentials.token()
  let response = await send(token)
  if (response.status === 401 && token) response = await send(await credentials.renew(token))
  const answer = await response.json().catch(() => undefined)
  if (response.ok) return answer.logoUrl
  throw Object.assign(new Error(answer?.error?.message ?? ''), { status: response.status })
}

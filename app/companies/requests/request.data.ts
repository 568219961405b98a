import type { Client } from '#app/api/client.ts'
import { authenticator, stored } from '#app/kit/session/session.data.ts'
import { solveSpamCheck } from '#app/kit/spam-check/spam-check.data.ts'
import { NO_WEBSITE, REMEMBERED_EMAIL, type RequestForm, tidyRequest } from './company-request.ts'
import type { RequestContract } from './request.contract.ts'

/**
 * Saves the request, then notifies the owner if the person wants that. The notice may fail silently, but the request
 * stays. Spec §7.3, §8.
 * @throws ApiError
 */
export async function requestCompany(
  api: Client<RequestContract>,
  form: RequestForm,
  { isSignedIn }: { isSignedIn: boolean },
) {
  // Visitors prove work first, as for posting.
  const spamCheck = await solveSpamCheck(api)
  const { companyName, companyWebsite, isNotify } = form
  const notifyEmail = isNotify && !isSignedIn ? form.notifyEmail.trim() : ''
  const { notice } = await api('POST /api/v1/company-requests', {
    body: { companyName, companyWebsite, isNotify, notifyEmail, spamCheck },
  })
  if (notifyEmail) rememberEmail(notifyEmail)
  if (isNotify) notifyOwner(form, notifyEmail, notice)
}

/** Never rejects. Spec §8: failures are only logged. */
async function notifyOwner(form: RequestForm, requesterEmail: string, notice: string | null) {
  try {
    const { companyName, companyWebsite } = tidyRequest(form)
    const response = await fetch('/functions/v1/notify-company-request', {
      method: 'POST',
      credentials: 'same-origin',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${notice ?? (await authenticator.token()) ?? ''}`,
      },
      body: JSON.stringify({
        companyName,
        companyWebsite: companyWebsite ?? NO_WEBSITE,
        // The server adds a member's address.
        requesterEmail,
      }),
    })
    if (!response.ok) throw new Error(`The function returned ${response.status}`)
  } catch (error) {
    console.error('The notice of the company request wasn’t sent', error)
  }
}

/** Empty if no address is stored. */
export const rememberedEmail = () => stored(REMEMBERED_EMAIL) ?? ''

function rememberEmail(email: string) {
  try {
    localStorage.setItem(REMEMBERED_EMAIL, email)
  } catch {
    // Without storage, people type it again.
  }
}

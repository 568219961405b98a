/**
 * Where someone signed up, so the emailed link leads back there. Only the browser knows it. In the email or next to
 * the pending address, it would reveal who read what.
 */
import { isLocalPath } from './redirect.ts'

const PAGE_KEY = 'kettle-signup-page'

export function noteSignUpPage() {
  const page = location.pathname + location.search
  try {
    if (page === '/') localStorage.removeItem(PAGE_KEY)
    else localStorage.setItem(PAGE_KEY, page)
  } catch {}
}

/** Returns the page once. Undefined if there's nothing to go back to. */
export function consumeSignUpPage(): string | undefined {
  try {
    const page = localStorage.getItem(PAGE_KEY)
    forgetSignUpPage()
    return page !== null && isLocalPath(page) ? page : undefined
  } catch {
    return undefined
  }
}

export function forgetSignUpPage() {
  try {
    localStorage.removeItem(PAGE_KEY)
  } catch {
    // The browser can't store anything, so there's nothing to do.
  }
}

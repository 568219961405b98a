/**
 * Where somebody was when they signed up, so that the link of the mail leads back there. Only the browser knows it:
 * in the mail, or with the address that waits for it, it would say who was reading what.
 */
import { isLocalPath } from './redirect.ts'

/** The local storage key. */
const PAGE_KEY = 'kettle-signup-page'

export function noteSignUpPage() {
  const page = location.pathname + location.search
  try {
    if (page === '/') localStorage.removeItem(PAGE_KEY)
    else localStorage.setItem(PAGE_KEY, page)
  } catch {
    // A browser that stores nothing leads home.
  }
}

/** Once; undefined where there is nothing to go back to. */
export function takeSignUpPage(): string | undefined {
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
    // Nothing was kept.
  }
}

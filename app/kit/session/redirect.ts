/** Where someone goes after logging in, or after signing up by a mail's link. */

/**
 * A path of this site: one slash first, and nothing that browsers take for a second. They read a backslash as a
 * slash and drop tabs and line breaks.
 */
export const isLocalPath = (path: string) => /^\/(?![/\\])[^\s\\]*$/.test(path)

/** Anything that leads out of this site leads home. */
export const safeRedirect = (wanted: string | undefined): string =>
  wanted && isLocalPath(wanted) ? wanted : '/'

/**
 * In local storage: where someone signed up. Only the browser knows it. In the mail or beside the pending address, it
 * would say who read what.
 */
const PAGE_KEY = 'kettle-signup-page'

export function noteSignUpPage() {
  const page = location.pathname + location.search
  try {
    if (page === '/') localStorage.removeItem(PAGE_KEY)
    else localStorage.setItem(PAGE_KEY, page)
  } catch {}
}

/** Once. Undefined if there's nothing to go back to. */
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

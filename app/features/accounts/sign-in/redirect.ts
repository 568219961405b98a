/** Where a person goes after signing in. Runs in the browser: no I/O here. */

/**
 * The path to go to, if it leads within this site: one slash at its beginning, and nothing that a
 * browser would read as a second one. Anything else leads home.
 */
export function safeRedirect(wanted: string | undefined): string {
  // Browsers drop tabs and line breaks from addresses, and read a backslash as a slash.
  return wanted && /^\/(?![/\\])[^\s\\]*$/.test(wanted) ? wanted : '/'
}

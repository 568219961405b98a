/** Where a person goes after signing in. Runs in the browser: no I/O here. */

/**
 * A path of this site, as a browser reads it: one slash at its beginning, and nothing that would be
 * taken for a second one. Browsers read a backslash as a slash, and drop tabs and line breaks.
 */
export const isLocalPath = (path: string) => /^\/(?![/\\])[^\s\\]*$/.test(path)

/** The path to go to, if it leads within this site. Anything else leads home. */
export const safeRedirect = (wanted: string | undefined): string =>
  wanted && isLocalPath(wanted) ? wanted : '/'

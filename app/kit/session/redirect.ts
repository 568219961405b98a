/** Where someone goes after logging in. Runs in the browser, so no I/O here. */

/**
 * A path of this site: one slash first, and nothing that browsers take for a second. They read a backslash as a
 * slash and drop tabs and line breaks.
 */
export const isLocalPath = (path: string) => /^\/(?![/\\])[^\s\\]*$/.test(path)

/** Anything that leads out of this site leads home. */
export const safeRedirect = (wanted: string | undefined): string =>
  wanted && isLocalPath(wanted) ? wanted : '/'

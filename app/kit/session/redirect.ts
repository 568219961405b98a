/** Where someone goes after logging in. Runs in the browser, so no I/O here. */

/**
 * A path of this site: it starts with one slash, and nothing that browsers take for a second one. They read a
 * backslash as a slash and drop tabs and line breaks.
 */
export const isLocalPath = (path: string) => /^\/(?![/\\])[^\s\\]*$/.test(path)

/** Anything that would lead to another site leads home. */
export const safeRedirect = (wanted: string | undefined): string =>
  wanted && isLocalPath(wanted) ? wanted : '/'

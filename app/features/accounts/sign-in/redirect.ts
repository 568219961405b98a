/** Where a person goes after signing in. Runs in the browser: no I/O here. */

import { isLocalPath } from '../../../server/local-path.ts'

/** The path to go to, if it leads within this site. Anything else leads home. */
export const safeRedirect = (wanted: string | undefined): string =>
  wanted && isLocalPath(wanted) ? wanted : '/'

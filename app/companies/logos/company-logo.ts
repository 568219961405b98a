/** Logo files. Runs in the browser too: no I/O here. */

/** 2 MB. */
export const LOGO_FILE_MAX = 2 * 1024 * 1024
/** For file pickers; the server checks the content. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/x-icon']

/** Named by its content, so that it can be cached forever. */
export const logoPath = (companyId: string, hash: string) => `/logos/${companyId}-${hash}.webp`

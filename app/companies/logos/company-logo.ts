/** A company's logo as a file. Runs in the browser too: no I/O here. */

/** 2 MB. */
export const LOGO_FILE_MAX = 2 * 1024 * 1024
/** What a file picker offers; what it really is, the server looks at. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/x-icon']

/** Named by its content, so that it can be kept for ever. */
export const logoPath = (companyId: string, hash: string) => `/logos/${companyId}-${hash}.webp`

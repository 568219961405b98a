/** Logos of companies. Runs in the browser too: no I/O here. */

/** Bytes of the largest logo file: 2 MB. */
export const LOGO_FILE_MAX = 2 * 1024 * 1024
/** What file pickers offer. The server checks the content. */
export const LOGO_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/x-icon']

export const LOGO_REFUSALS = {
  notFound: 'This logo doesn’t exist',
  noWebsite: 'This company has no website to get a logo from',
  previousLost: 'We don’t have the previous logo anymore. Please upload it again.',
  replaced: 'The company has another logo now',
  noPicture: 'Please send a picture',
  tooLarge: 'A logo can be at most 2 MB',
  otherType: 'A logo must be a PNG, JPEG, WebP, GIF or ICO file',
  damaged: 'This file is damaged or contains more than a picture',
  tooManyPixels: (width: number, height: number) =>
    `This picture is too large: ${width} × ${height} pixels`,
  unreadable: 'We can’t read this picture, or it’s too large',
  notSmall: 'We can’t make this picture small enough',
} as const

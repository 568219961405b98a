/** Logos of companies. Runs in the browser too: no I/O here. */

/** Bytes of the largest logo file: 2 MB. */
export const LOGO_FILE_MAX = 2 * 1024 * 1024
/** What file pickers offer. The server checks the content. */
export const LOGO_TYPES = [
  ...['image/png', 'image/jpeg', 'image/webp', 'image/avif', 'image/gif', 'image/bmp'],
  'image/x-icon',
]

export const LOGO_REFUSALS = {
  notFound: 'This logo doesn’t exist',
  noWebsite: 'This company has no website to get a logo from',
  notFetched: 'This site doesn’t fetch logos. Please upload one.',
  previousLost: 'We don’t have the previous logo anymore. Please upload it again.',
  replaced: 'The company has another logo now',
  noPicture: 'Please send a picture',
  tooLarge: 'A picture can be at most 2 MB',
  otherType: 'A picture must be a PNG, JPEG, WebP, AVIF, GIF, BMP or ICO file',
  svg: 'An SVG can contain programs. Please send a PNG.',
  damaged: 'This picture is damaged or cut off',
  tooManyPixels: (width: number, height: number) =>
    `This picture is too large: ${width} × ${height} pixels`,
  notSmall: 'We can’t make this picture small enough',
} as const

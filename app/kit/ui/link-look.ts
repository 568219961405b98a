/** Running text's link look: quiet underline, tea ink. */
export const linkLook =
  'text-tea underline decoration-tea/40 underline-offset-4 transition-colors hover:decoration-tea'

/** The look of a table of numbers: words to the left, numbers to the right. */
export const tableLook = 'w-full border-collapse text-sm tabular-nums'
export const cellLook =
  'border-b border-line py-1.5 pl-4 text-right text-ink-soft first:pl-0 first:text-left [th]:font-medium'

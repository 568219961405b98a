export const jobListLook =
  'divide-y divide-line overflow-hidden rounded-xl border border-line bg-surface'

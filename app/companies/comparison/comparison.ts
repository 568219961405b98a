/** Comparing companies, and its address. No I/O here. */

export const COMPARED_MIN = 2
export const COMPARED_MAX = 4

/** Query parameters: the companies compared, and those picked so far. */
export const COMPARE = 'compare'
export const PICK = 'pick'

/** Without duplicates, and no more than fit. */
export const referencesIn = (text: string | null | undefined): string[] =>
  [
    ...new Set(
      (text ?? '')
        .split(',')
        .map((it) => it.trim().toLowerCase())
        .filter(Boolean),
    ),
  ].slice(0, COMPARED_MAX)

export const referenceOf = ({ id, slug }: { id: string; slug: string | null }) => slug ?? id

/** "/companies?compare=acme,brine-ferries", with readable commas. */
export const comparePath = (references: string[]) =>
  `/companies?${COMPARE}=${references.map(encodeURIComponent).join(',')}`

export const toggled = (picked: string[], reference: string): string[] =>
  picked.includes(reference)
    ? picked.filter((it) => it !== reference)
    : [...picked, reference].slice(0, COMPARED_MAX)

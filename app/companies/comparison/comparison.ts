/** Companies side by side, and how an address says which. No I/O here. */

export const COMPARED_MIN = 2
export const COMPARED_MAX = 4

/** The address's parameter of what is shown side by side, and of what is still being chosen. */
export const COMPARE = 'compare'
export const PICK = 'pick'

/** Slugs or ids in `text`, each once; more than there is room for are left out. */
export const referencesIn = (text: string | null | undefined): string[] =>
  [
    ...new Set(
      (text ?? '')
        .split(',')
        .map((it) => it.trim().toLowerCase())
        .filter(Boolean),
    ),
  ].slice(0, COMPARED_MAX)

/** What a company is called in such a list. */
export const referenceOf = ({ id, slug }: { id: string; slug: string | null }) => slug ?? id

/** "/companies?compare=acme,brine-ferries"; commas stay readable. */
export const comparePath = (references: string[]) =>
  `/companies?${COMPARE}=${references.map(encodeURIComponent).join(',')}`

/** Where a click on a company's toggle leads: in, or out again. */
export const toggled = (picked: string[], reference: string): string[] =>
  picked.includes(reference)
    ? picked.filter((it) => it !== reference)
    : [...picked, reference].slice(0, COMPARED_MAX)

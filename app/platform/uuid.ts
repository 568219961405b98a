/** Ids outside contracts, in the spelling of their rows. Browsers load this, so it doesn't use zod. */
const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const WHOLE = new RegExp(`^${UUID}$`)
const BEGINNING = new RegExp(`^${UUID}`)

/** Capitals don't count, because they'd give a row a second name. */
export const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && WHOLE.test(text)

/** The id at the start of a text, ignoring case. */
export const leadingUuid = (text: string): string | undefined =>
  BEGINNING.exec(text.toLowerCase())?.[0]

/** Belongs to nothing, and comes before every other. */
export const NIL_UUID = '00000000-0000-0000-0000-000000000000'

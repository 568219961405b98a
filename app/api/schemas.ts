import { z } from 'zod'

/**
 * PostgreSQL accepts ids in capitals, with braces or blanks, or without hyphens. Keys, limits and comparisons built
 * from the text don't. So we normalize ids to lower case with hyphens, and refuse other forms. `scripts/walls.mjs`
 * keeps `z.uuid()` in here.
 */
export const Uuid = z.uuid().toLowerCase()

/** One to `max` ids, separated by commas. A string in the OpenAPI document. */
export const UuidList = (max: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,${max - 1}}$`),
      `Please send at most ${max} ids, separated by commas`,
    )
    .transform((text) => text.split(','))
    .pipe(z.array(Uuid))

/** Checks ids outside contracts, such as in file names. Undefined if invalid. */
export const uuidOf = (text: unknown): string | undefined => Uuid.safeParse(text).data

/*
 * A contract only bounds a text. The command first tidies what people wrote and checks it, before any query or lock:
 * `tidyText`, `oneLine` or the noun's `tidyX`, then `requireValid(xProblem(…))`, as the form does. `checkedX` does
 * both. Only checks against stored data come later. For example, an edit's rules depend on whether the job is a draft,
 * or on which fields differ. `scripts/walls.mjs` keeps other texts with a `max` out of contracts.
 */

/** UTF-16 units of a code point. */
const UNITS_MAX = 2
/** Room for characters that tidying drops, and for texts that the command refuses with its own sentence. */
const HEADROOM = 10_000

/** What people write. @param max in code points, as in the database */
export const WrittenText = (max: number) =>
  z
    .string()
    .max(max * UNITS_MAX + HEADROOM, `At most ${max.toLocaleString('en')} characters, please`)
    .meta({ maxLength: max })

/**
 * What's looked up or compared, such as search words, names, cursors and tokens. PostgreSQL accepts no NUL.
 * @param max in code points
 */
export const LookupText = (max: number, sentence?: string) =>
  z
    .string()
    .refine(
      // The first condition saves us from counting a text that's far too long.
      (text) => text.length <= max * UNITS_MAX && [...text].length <= max,
      sentence ?? `At most ${max.toLocaleString('en')} characters`,
    )
    .meta({ maxLength: max })
    .regex(/^[^\0]*$/)

export const IdempotencyKey = Uuid.describe(
  'An idempotency key, created once per form. Sending it again adds nothing new',
)

/** The field of endpoints with `spamCheck` in their policy. */
export const SpamCheck = LookupText(2_000)
  .optional()
  .describe(
    'The solved spam check. Required for visitors, and for members with an unconfirmed address',
  )

/** Where a page of a list starts. It may contain a name, and JSON writes some letters as six characters. */
export const After = z.object({
  after: LookupText(1_200).optional().describe('`next` from the previous page'),
})

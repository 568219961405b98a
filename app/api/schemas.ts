import { z } from 'zod'

/**
 * PostgreSQL accepts ids in capitals, with braces or blanks, or without hyphens. Keys, limits and
 * comparisons built from the text don't. So ids are normalised to lower case with hyphens, and
 * other forms are refused. `scripts/walls.mjs` keeps `z.uuid()` in here.
 */
export const Uuid = z.uuid().toLowerCase()

/** One to `most` ids, separated by commas. A string in the OpenAPI document. */
export const UuidList = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,${most - 1}}$`),
      `Please send at most ${most} ids, separated by commas`,
    )
    .transform((text) => text.split(','))
    .pipe(z.array(Uuid))

/** For ids outside contracts, such as in file names. Undefined if invalid. */
export const uuidOf = (text: unknown): string | undefined => Uuid.safeParse(text).data

/*
 * Texts that people write. Their limits are in code points, as in the database. `LimitedText` where the command tidies
 * the text, which changes its length: the command checks it, with a sentence. `TrimmedText` where only the length counts,
 * `Checked` where the form's own function says what's wrong, `SafeText` for what's only looked up. Limits that no form can
 * exceed need no sentence, as request.server.ts has one for each.
 */

/** Room for what the command drops, such as surrounding spaces, and for its own sentence. */
const ROOM = 10_000
/** UTF-16 units of a code point. */
const UNITS_MAX = 2

export const LimitedText = (max: number) =>
  z
    .string()
    .max(max * UNITS_MAX + ROOM, `At most ${max.toLocaleString('en')} characters, please`)
    .meta({ maxLength: max })

/** @param what such as "A note" */
export const TrimmedText = (max: number, what: string) =>
  Checked(z.string().trim().meta({ maxLength: max }), (text) =>
    [...text].length > max ? `${what} can have at most ${max} characters` : undefined,
  )

/** PostgreSQL stores no NUL. */
export const SafeText = (max: number, sentence?: string) =>
  z
    .string()
    .max(max * UNITS_MAX, `At most ${max.toLocaleString('en')} characters`)
    .meta({ maxLength: max })
    .regex(/^[^\0]*$/, sentence)

/** @param problemsOf a sentence, or those of a form by field; undefined for what's fine */
export const Checked = <S extends z.ZodType>(
  schema: S,
  problemsOf: (value: z.output<S>) => string | undefined | Record<string, string | undefined>,
) =>
  schema.superRefine((value, check) => {
    const problems = problemsOf(value)
    const issues = typeof problems === 'object' ? Object.entries(problems) : [['', problems]]
    for (const [field, message] of issues)
      if (message) check.addIssue({ code: 'custom', message, path: field ? [field] : [] })
  })

export const IdempotencyKey = Uuid.describe(
  'An idempotency key, created once per form. Sending it again adds nothing new',
)

/** For endpoints with `proof` in their policy. */
export const SpamCheck = z
  .string()
  .max(2_000)
  .optional()
  .describe(
    'The solved spam check. Required for visitors, and for members with an unconfirmed address',
  )

/** Where a page of a list starts. It may contain a name, of which JSON escapes some letters in six characters. */
export const After = z.object({
  after: z.string().max(1_200).optional().describe('`next` from the previous page'),
})

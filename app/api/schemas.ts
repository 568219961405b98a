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
      `Please give at most ${most} ids, separated by commas`,
    )
    .transform((text) => text.split(','))
    .pipe(z.array(Uuid))

/** For ids outside contracts, such as in file names. Undefined if invalid. */
export const uuidOf = (text: unknown): string | undefined => Uuid.safeParse(text).data

/*
 * Limits of texts that people write. `LimitedText` where the command tidies the text, which changes its length: the
 * command checks it, with a sentence. `CheckedText` where it's taken as sent: the contract checks it, with the form's
 * function. A plain `.max(n, sentence)` where only the length matters. Limits that no form can exceed need no
 * sentence, as request.server.ts has one for each.
 */

/** The OpenAPI document gets the limit as a number. @param problemOf a sentence, or undefined if the text is fine */
export const CheckedText = (max: number, problemOf: (text: string) => string | undefined) =>
  z
    .string()
    .meta({ maxLength: max })
    .superRefine((text, check) => {
      const message = problemOf(text)
      if (message) check.addIssue({ code: 'custom', message })
    })

/** Room for what the command drops, such as surrounding spaces, and for its own sentence. */
const ROOM = 10_000

export const LimitedText = (max: number) =>
  z
    .string()
    .max(max + ROOM, `At most ${max.toLocaleString('en')} characters, please`)
    .meta({ maxLength: max })

export const IdempotencyKey = Uuid.describe(
  'An idempotency key, made once per form. Sending it again adds nothing',
)

/** For endpoints with `proof` in their policy. */
export const SpamCheck = z
  .string()
  .max(2_000)
  .optional()
  .describe('The solved spam check. Visitors and members with an unconfirmed address need one')

/** Where a page of a list starts. It may contain a name, of which JSON escapes some letters in six characters. */
export const After = z.object({
  after: z.string().max(1_200).optional().describe('The `next` of the previous page'),
})

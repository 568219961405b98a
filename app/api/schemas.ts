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

/**
 * A text whose form and contract share one sentence per problem. The OpenAPI document gets its limit as a number.
 * @param problemOf a sentence, or undefined if the text is fine
 */
export const CheckedText = (max: number, problemOf: (text: string) => string | undefined) =>
  z
    .string()
    .meta({ maxLength: max })
    .superRefine((text, check) => {
      const message = problemOf(text)
      if (message) check.addIssue({ code: 'custom', message })
    })

/** Allows surrounding spaces, and texts that are too long, so the command can say so. */
const ROOM = 10_000

/** The command checks the length, and says so in a sentence. */
export const LimitedText = (max: number) =>
  z
    .string()
    .max(max + ROOM)
    .meta({ maxLength: max })

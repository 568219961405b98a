import { z } from 'zod'

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

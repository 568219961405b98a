/** Texts in a contract whose limits are said in sentences; the OpenAPI document has them as numbers. */
import { z } from 'zod'

/**
 * With the sentence that its form says of it.
 * @param problemOf what is wrong, as a sentence; undefined where nothing is
 */
export const CheckedText = (max: number, problemOf: (text: string) => string | undefined) =>
  z
    .string()
    .meta({ maxLength: max })
    .superRefine((text, check) => {
      const message = problemOf(text)
      if (message) check.addIssue({ code: 'custom', message })
    })

/** Room for spaces around it, and for a text that is too long to be told so. */
const ROOM = 10_000

/** Whose command says in a sentence how long it may be. */
export const LimitedText = (max: number) =>
  z
    .string()
    .max(max + ROOM)
    .meta({ maxLength: max })

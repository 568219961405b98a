/** A text in a contract with the sentence that its form says of it. */
import { z } from 'zod'

/** @param problemOf what is wrong, as a sentence; undefined where nothing is */
export const CheckedText = (problemOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, check) => {
    const message = problemOf(text)
    if (message) check.addIssue({ code: 'custom', message })
  })

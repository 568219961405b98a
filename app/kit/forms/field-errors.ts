/** What a schema says of a form: of each field its first sentence. */
import * as z from 'zod/mini'
import type { FormErrors } from './use-form.ts'

/** @param schema what the server checks, too */
export function fieldErrors<Field extends string>(
  schema: z.core.$ZodType,
  values: unknown,
): FormErrors<Field> {
  const errors: Record<string, string> = {}
  for (const { path, message } of z.safeParse(schema, values).error?.issues ?? []) {
    const field = String(path[0] ?? 'form')
    errors[field] ??= message
  }
  return errors as FormErrors<Field>
}

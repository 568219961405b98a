/** The first sentence that a schema has for each field of a form. */
import * as z from 'zod/mini'
import type { FormErrors } from './form.tsx'

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

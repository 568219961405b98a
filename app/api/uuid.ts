/**
 * Ids as they come from outside. PostgreSQL takes capitals, braces, blanks and ids without hyphens for the same row;
 * a key, a limit or a comparison that is made of the text does not. So an id has one form from here on: small letters
 * with hyphens. Capitals become that form, everything else is refused. `scripts/walls.mjs` keeps `z.uuid()` in here.
 */
import { z } from 'zod'

/** An id in small letters. */
export const Uuid = z.uuid().toLowerCase()

/** One to `most` ids with commas between; the OpenAPI document has them as one text. */
export const UuidList = (most: number) =>
  z
    .string()
    .regex(
      new RegExp(`^[0-9a-fA-F-]{36}(,[0-9a-fA-F-]{36}){0,${most - 1}}$`),
      `Please give at most ${most} ids with commas between`,
    )
    .transform((text) => text.split(','))
    .pipe(z.array(Uuid))

/** For what no contract reads, such as the name of a file. Undefined for what is no id. */
export const uuidOf = (text: unknown): string | undefined => Uuid.safeParse(text).data

/**
 * Names under which connections keep parsed and planned statements. They are made of the text, so nobody
 * has to invent one, and the same text has the same name in every process.
 */
import { createHash } from 'node:crypto'

/** Texts that have a name. Each costs every connection memory, and some texts are put together of filters. */
export const NAMED_MAX = 300

export interface StatementNames {
  /** Undefined once as many others have one: such a statement is planned anew each time. */
  nameOf(text: string): string | undefined
  /** From now on every text has a name that no connection knows. */
  renew(): void
}

export function createStatementNames(): StatementNames {
  const names = new Map<string, string>()
  let generation = 0
  return {
    nameOf(text) {
      const known = names.get(text)
      if (known !== undefined || names.size >= NAMED_MAX) return known
      const digest = createHash('sha256').update(text).digest('hex').slice(0, 32)
      const name = generation === 0 ? digest : `${digest} ${generation}`
      names.set(text, name)
      return name
    },
    renew() {
      names.clear()
      generation++
    },
  }
}

/**
 * Whether a named statement was refused because its columns have other types since it was prepared: a
 * migration ran beside the site. PostgreSQL looks before it does anything, so it may be asked again.
 */
export const isOutdated = (error: unknown) =>
  (error as { routine?: unknown } | undefined)?.routine === 'RevalidateCachedQuery'

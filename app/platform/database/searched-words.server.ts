import sql from 'sql-template-tag'
import { isDatabaseError } from './database.server.ts'
import { type DataContext, transaction } from './server-context.server.ts'

/** PostgreSQL's error for too many operators. */
const INTERNAL_ERROR = 'XX000'

/**
 * Parses a search with the database's `searched_words`. Undefined if it's empty, or PostgreSQL
 * can't parse it, such as a hundred dashes.
 * @returns `query`: a tsquery. `needed`: what must be found, without exclusions; '' or 'T' for
 * nothing. `isSmall`: only words such as "it" and "who", which nearly every text has
 */
export async function searchedWords(
  ctx: DataContext,
  text: string,
): Promise<{ query: string; needed: string; isSmall: boolean } | undefined> {
  try {
    const [parsed] = await transaction(ctx, ({ db }) =>
      db.query<{ query: string; needed: string; isSmall: boolean; nodes: number }>(sql`
        select words::text as query, querytree(words) as needed, numnode(words) as nodes,
               querytree(to_tsquery('telling_words', words::text)) = '' as "isSmall"
          from searched_words(${text.replaceAll('\0', ' ')}) words`),
    )
    return parsed && parsed.nodes > 0 ? parsed : undefined
  } catch (error) {
    if (isDatabaseError(error, INTERNAL_ERROR)) return undefined
    throw error
  }
}

/** What every query and command receives: where the data is, and which moment it is. */
import type { Database } from './database.server.ts'

export interface ServerContext {
  db: Database
  /** The present moment; frozen in tests. */
  now: () => Date
}

/** Runs `work` in a transaction whose context shadows the outer one, on purpose. */
export const transaction = <Context extends ServerContext, Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> => ctx.db.transaction((db) => work({ ...ctx, db }))

/** What every query and command receives: the data, the moment, the keys, and what comes after. */
import type { Database } from './database.server.ts'
import type { Jobs } from './jobs.server.ts'
import type { Secrets } from './secrets.server.ts'

export interface ServerContext {
  db: Database
  /** The present moment; frozen in tests. */
  now: () => Date
  secrets: Secrets
  /** What must happen after the commit: add it in the transaction that it follows from. */
  jobs: Pick<Jobs, 'enqueue'>
}

/** What is enough where nothing follows and nothing is sealed. */
export type DataContext = Pick<ServerContext, 'db' | 'now'>

/** Runs `work` in a transaction whose context shadows the outer one, on purpose. */
export const transaction = <Context extends Pick<ServerContext, 'db'>, Result>(
  ctx: Context,
  work: (ctx: Context) => Promise<Result>,
): Promise<Result> => ctx.db.transaction((db) => work({ ...ctx, db }))

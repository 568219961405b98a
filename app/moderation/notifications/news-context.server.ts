import type { ServerContext } from '#app/platform/database/context.server.ts'

/** What the jobs that write news need: whom they reach lies sealed. */
export type NewsContext = Pick<ServerContext, 'db' | 'now' | 'secrets'>

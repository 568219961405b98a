/** Jobs are hidden: no page that was kept shows them any more. */
import { createChannel } from '#app/platform/database/channel.server.ts'

export const jobRemovals = createChannel('removed_jobs')

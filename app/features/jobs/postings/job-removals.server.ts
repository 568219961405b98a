/** Jobs are hidden: no page that was kept shows them any more. */
import { createChannel } from '../../../server/channel.server.ts'

export const jobRemovals = createChannel('removed_jobs')

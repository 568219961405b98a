/** Words are gone: no page that was kept shows them any more. Of each the thread, which may be gone itself. */
import { createChannel } from '#app/platform/database/channel.server.ts'

export const postRemovals = createChannel('removed_posts')

import { eventsOf } from '#app/main.features.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'

/** All features' event subscriptions, on a site without settings. */
export const events = eventsOf({ config: readConfig({}) })

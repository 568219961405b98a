/** Where somebody looks after the own account. Runs in the browser too: no I/O here. */
import type { Flag } from '#app/api/contract.ts'

/**
 * Where it is, and what it's called. With the settings off, what a site owes to who has an account there still has an address: a second step at signing
 * in, acting for a company, taking one's data along, and leaving.
 */
export const settingsEntry = ({ enableSettings }: SettingsFlags) =>
  enableSettings
    ? { href: '/settings', name: 'Settings' }
    : { href: '/settings/account', name: 'Your account' }

export const settingsPath = (flags: SettingsFlags) => settingsEntry(flags).href

type SettingsFlags = Pick<Record<Flag, boolean>, 'enableSettings'>

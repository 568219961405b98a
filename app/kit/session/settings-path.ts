/** Where people manage their account. Runs in the browser too, so no I/O here. */
import type { Flag } from '#app/api/contract.ts'

/** Accounts need an address even without settings: second step, acting for a company, export, deletion. */
export const settingsEntry = ({ enableSettings }: SettingsFlags) =>
  enableSettings
    ? { href: '/settings', name: 'Settings' }
    : { href: '/settings/account', name: 'Your account' }

export const settingsPath = (flags: SettingsFlags) => settingsEntry(flags).href

type SettingsFlags = Pick<Record<Flag, boolean>, 'enableSettings'>

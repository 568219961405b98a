/** Where somebody looks after the own account. Runs in the browser too: no I/O here. */
import type { Flag } from '../api/contract.ts'

/**
 * With the settings off, what a site owes to who has an account there still has an address: a second step at signing
 * in, acting for a company, taking one's data along, and leaving.
 */
export const settingsPath = ({ enableSettings }: Pick<Record<Flag, boolean>, 'enableSettings'>) =>
  enableSettings ? '/settings' : '/settings/account'

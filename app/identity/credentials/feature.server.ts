import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { credentialContract } from './credential.contract.ts'
import { credentialHandlers } from './credential-api.server.ts'
import { serveIssuerKeys } from './issuer-file.server.ts'

export const credentials: Feature = {
  routes({ http, bind, issuer, counters }) {
    bind(credentialContract, credentialHandlers(issuer))
    serveIssuerKeys(http, issuer)
    counters.push({ start() {}, stop: () => issuer.stop() })
  },
  // The place of a row would say who got a credential before whom.
  nightly: ({ db }) =>
    ['credential_commitments', 'credential_vaults'].map((name) => ({
      name: `reorder ${name}`,
      run: () => reorderTable(db, name),
    })),
}

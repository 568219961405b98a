import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { Feature } from '#app/api/feature.server.ts'
import { reorderTable } from '#app/platform/database/reorder.server.ts'
import { type CredentialContract, credentialContract } from './credential.contract.ts'
import {
  beginCredential,
  forgetHandovers,
  forgetMailboxes,
  keepHandover,
  keepVault,
  ownCredential,
  renewCredential,
  serveIssuerKeys,
  takeHandover,
} from './credential-commands.server.ts'
import { destroyEndedKeys } from './issuer-keys.server.ts'

export const credentialHandlers = (issuer: Issuer): Handlers<CredentialContract> => ({
  'GET /api/v1/my/credential': ownCredential,
  'POST /api/v1/my/credential': (ctx, { body }) => beginCredential(ctx, body, issuer),
  'POST /api/v1/my/credential/renewal': (ctx, { body }) => renewCredential(ctx, body, issuer),
  'PUT /api/v1/my/credential/vault': (ctx, { body }) => keepVault(ctx, body.sealed),
  'PUT /api/v1/handovers/{id}': (ctx, { params, body }) =>
    keepHandover(ctx, params.id, body.sealed),
  'POST /api/v1/handovers/{id}/take': (ctx, { params }) => takeHandover(ctx, params.id),
})

export const credentials: Feature = {
  routes({ http, bind, issuer, services }) {
    bind(credentialContract, credentialHandlers(issuer))
    serveIssuerKeys(http, issuer)
    services.push({ start: () => issuer.list(), stop: () => issuer.stop() })
  },
  nightly: ({ base }) => [
    // Row order would show who got a credential before whom.
    { name: 'forget mailboxes of ended credentials', run: () => forgetMailboxes(base) },
    ...['credential_commitments', 'credential_mailboxes', 'credential_vaults'].map((name) => ({
      name: `reorder ${name}`,
      run: () => reorderTable(base.db, name),
    })),
    { name: 'forget handovers', run: () => forgetHandovers(base) },
    { name: 'destroy expired issuer keys', run: () => destroyEndedKeys(base) },
  ],
}

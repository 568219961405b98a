/** Binds the contract of credentials to its commands. */
import type { Handlers } from '#app/api/bind.server.ts'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import type { CredentialContract } from './credential.contract.ts'
import {
  beginCredential,
  keepVault,
  ownCredential,
  renewCredential,
} from './credential-commands.server.ts'

export const credentialHandlers = (issuer: Issuer): Handlers<CredentialContract> => ({
  'GET /api/v1/my/credential': ownCredential,
  'POST /api/v1/my/credential': (ctx, { body }) => beginCredential(ctx, body, issuer),
  'POST /api/v1/my/credential/renewal': (ctx, { body }) => renewCredential(ctx, body, issuer),
  'PUT /api/v1/my/credential/vault': (ctx, { body }) => keepVault(ctx, body.sealed),
})

/** npm run admin -- grant|revoke|remove-second-factors EMAIL, list, or service-token: for whoever runs the server. */
import { createTokens, issuerOf, readSigningKeys } from '../auth/tokens.server.ts'
import {
  grantAdmin,
  listAdmins,
  removeSecondFactors,
  revokeAdmin,
} from '../features/accounts/administrators/admin-commands.server.ts'
import { readConfig } from '../server/config.server.ts'
import { withSite } from './with-site.server.ts'

const USAGE = `npm run admin -- grant EMAIL       makes the account an administrator
npm run admin -- revoke EMAIL      takes that back
npm run admin -- list              says who is one
npm run admin -- remove-second-factors EMAIL
                                   for whoever lost the phone and all recovery codes; ends all sessions
npm run admin -- service-token     prints a token for programs that manage accounts, good for an hour`

const NEED_EMAIL = ['grant', 'revoke', 'remove-second-factors']
const SERVICE_TOKEN_S = 3600

async function run([what, email = '']: string[]) {
  if (what === 'service-token') return serviceToken()
  const needsEmail = NEED_EMAIL.includes(what ?? '')
  if (what !== 'list' && !(needsEmail && email.includes('@'))) {
    process.exitCode = 1
    return USAGE
  }
  return withSite(async (ctx) => {
    if (what === 'grant') return grantAdmin(ctx, email)
    if (what === 'revoke') return revokeAdmin(ctx, email)
    if (what === 'remove-second-factors') return removeSecondFactors(ctx, email)
    return (await listAdmins(ctx)).join('\n') || 'There is no administrator yet.'
  })
}

async function serviceToken() {
  const config = readConfig(process.env)
  const tokens = createTokens({
    keys: await readSigningKeys(config),
    issuer: issuerOf(config.siteUrl),
    lifetime: config.auth.accessTokenSeconds,
  })
  return tokens.signForService(SERVICE_TOKEN_S)
}

run(process.argv.slice(2)).then(console.log, (error: Error) => {
  console.error(error.message)
  process.exitCode = 1
})

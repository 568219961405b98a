/** npm run admin: roles, tokens and keys, for the people who run the server. */
import { createTokens, issuerOf, readSigningKeys } from '#app/api/auth/tokens.server.ts'
import {
  grantAdmin,
  grantModerator,
  listAdmins,
  listModerators,
  removeSecondFactors,
  revokeAdmin,
  revokeModerator,
} from '#app/identity/accounts/administrators/admin-commands.server.ts'
import { createSiteIssuer } from '#app/identity/credentials/issuer-keys.server.ts'
import { writeIssuerList } from '#app/identity/credentials/witnesses.server.ts'
import { readConfig } from '#app/platform/operations/config.server.ts'
import { runCommand } from './run-command.server.ts'
import { withSite } from './with-site.server.ts'

const USAGE = `npm run admin -- grant EMAIL       makes the account an administrator
npm run admin -- grant EMAIL --moderator
                                   makes it a moderator, who can only decide on posts
npm run admin -- revoke EMAIL      takes the role away. Add --moderator for a moderator
npm run admin -- list              shows administrators and moderators
npm run admin -- remove-second-factors EMAIL
                                   for someone who lost their phone and all recovery codes. Ends all their sessions
npm run admin -- service-token     prints a token for programs that manage accounts. It’s valid for an hour
npm run admin -- issuer-list FILE  writes the public list of issuer keys, for publishing elsewhere (ISSUER_WITNESSES)

For example: npm run admin -- grant olga@kettle.example`

const NEED_EMAIL = ['grant', 'revoke', 'remove-second-factors']
const SERVICE_TOKEN_S = 3600

function run(args: string[]) {
  const isModerator = args.includes('--moderator')
  const [what, email = '', ...more] = args.filter((arg) => arg !== '--moderator')
  const needsEmail = NEED_EMAIL.includes(what ?? '')
  const isFile = what === 'issuer-list' && email !== ''
  const isAlone = (what === 'list' || what === 'service-token') && email === ''
  const isClear = isAlone || isFile || (needsEmail && email.includes('@'))
  const isOfRole = what === 'grant' || what === 'revoke'
  if (!isClear || more.length > 0 || (isModerator && !isOfRole)) return undefined
  if (what === 'service-token') return serviceToken()
  return withSite(async (ctx, { issuerWitnesses }) => {
    if (isFile) return writeIssuerList(createSiteIssuer(ctx, issuerWitnesses), email)
    if (what === 'grant') return (isModerator ? grantModerator : grantAdmin)(ctx, email)
    if (what === 'revoke') return (isModerator ? revokeModerator : revokeAdmin)(ctx, email)
    if (what === 'remove-second-factors') return removeSecondFactors(ctx, email)
    const moderators = (await listModerators(ctx)).map((address) => `${address} (moderator)`)
    const admins = await listAdmins(ctx)
    return [...admins, ...moderators].join('\n') || 'There’s no administrator yet.'
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

await runCommand(USAGE, run)

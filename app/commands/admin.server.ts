/** npm run admin -- grant|revoke EMAIL, list, or service-token: for whoever runs the server. */
import { createTokens, issuerOf, readSigningKeys } from '../auth/tokens.server.ts'
import {
  grantAdmin,
  listAdmins,
  revokeAdmin,
} from '../features/accounts/administrators/admin-commands.server.ts'
import { readConfig } from '../server/config.server.ts'
import { createJobs } from '../server/jobs.server.ts'
import { migrate } from '../server/migrate.server.ts'
import { openDatabase } from '../server/open-database.server.ts'
import { checkSecrets, readSecrets } from '../server/secrets.server.ts'

const USAGE = `npm run admin -- grant EMAIL       makes the account an administrator
npm run admin -- revoke EMAIL      takes that back
npm run admin -- list              says who is one
npm run admin -- service-token     prints a token for programs that manage accounts, good for an hour`

const SERVICE_TOKEN_S = 3600

async function run([what, email = '']: string[]) {
  if (what === 'service-token') return serviceToken()
  const needsEmail = what === 'grant' || what === 'revoke'
  if (what !== 'list' && !(needsEmail && email.includes('@'))) {
    process.exitCode = 1
    return USAGE
  }
  const config = readConfig(process.env)
  const secrets = await readSecrets(config)
  const db = await openDatabase(config)
  try {
    await migrate(db)
    await checkSecrets(db, secrets)
    const ctx = { db, secrets, now: () => new Date(), jobs: createJobs(db) }
    if (what === 'grant') return await grantAdmin(ctx, email)
    if (what === 'revoke') return await revokeAdmin(ctx, email)
    return (await listAdmins(ctx)).join('\n') || 'There is no administrator yet.'
  } finally {
    await db.close()
  }
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

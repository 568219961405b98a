/** The composition root: config → database → http. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { bindContract } from './api/bind.server.ts'
import { createClient, type Transport } from './api/client.ts'
import { describeApi } from './api/document.server.ts'
import { visitor } from './auth/actor.ts'
import type { Ctx } from './auth/context.server.ts'
import { companyContract } from './features/companies/company.contract.ts'
import { companyHandlers } from './features/companies/company-api.server.ts'
import { loadStarterCompanies } from './features/companies/starter-companies.server.ts'
import { type SiteConfig, siteContract } from './features/site/site.contract.ts'
import { siteHandlers } from './features/site/site-api.server.ts'
import { developmentPages } from './main.development.server.ts'
import { builtAssets } from './server/built-assets.server.ts'
import { type Config, ConfigError, readConfig } from './server/config.server.ts'
import type { OpenDatabase } from './server/database.server.ts'
import { answerHealthChecks } from './server/health.server.ts'
import { createHttp, type Http } from './server/http.server.ts'
import { migrate } from './server/migrate.server.ts'
import { createPageCache } from './server/page-cache.server.ts'
import { openPglite } from './server/pglite.server.ts'
import { openPostgres } from './server/postgres.server.ts'
import { projectFolder } from './server/project-folder.server.ts'
import { securityHeaders } from './server/security-headers.server.ts'
import type { AppContract } from './sitemap.ts'

const clientFolder = join(projectFolder, 'dist/client')

async function start() {
  const config = readConfig(process.env)
  const db = config.databaseUrl
    ? await openPostgres({ url: config.databaseUrl, connections: config.databaseConnections })
    : await openPglite({ dataDir: config.dataDir })
  try {
    await migrate(db)
    await loadStarterCompanies({ db, now: () => new Date() }, config.starter)
    const http = await compose(config, db)
    await http.listen({ host: config.host, port: config.port })
    const { port } = http.server.address() as { port: number }
    console.log(`${config.siteName} is ready at http://${config.host}:${port}`)
    if (config.development) announceDevelopment(config, port)
    stopOnSignals(http, db)
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Everything that answers requests, wired up. */
async function compose(config: Config, db: OpenDatabase): Promise<Http> {
  const site: SiteConfig = {
    siteName: config.siteName,
    siteUrl: config.siteUrl ?? `http://${config.host}:${config.port}`,
    contactDomain: config.contactDomain,
    flags: config.flags,
    build: readBuildInfo(),
  }
  const contextOf = (): Ctx => ({ db, now: () => new Date(), actor: visitor })

  const inProcess: Transport = async ({ method, url, body }) => {
    const answer = await http.inject({
      method: method as 'GET',
      url,
      ...(body === undefined ? {} : { payload: body as object }),
    })
    return { status: answer.statusCode, json: answer.json() }
  }
  const api = createClient<AppContract>(inProcess)
  const development = config.development ? await developmentPages(projectFolder) : undefined
  const { renderPage, pageKey, assets } = development ?? (await productionPages())

  const http: Http = await createHttp({
    config,
    clientFolder: config.development ? undefined : clientFolder,
    pages: {
      keyOf: (url) => pageKey(url, config.flags),
      cache: createPageCache((key) => renderPage(key, site, api, assets), {
        headers: securityHeaders(config),
        keeps: !config.development,
      }),
    },
  })
  development?.mount(http)
  await describeApi(http, config.siteName)
  answerHealthChecks(http, db)
  bindContract(http, siteContract, contextOf, siteHandlers(site))
  bindContract(http, companyContract, contextOf, companyHandlers())
  return http
}

async function productionPages() {
  const { loadScreens, ...rendering } = await import('./main.render.server.tsx')
  await loadScreens()
  return { ...rendering, assets: builtAssets(clientFolder) }
}

/** When and as what this was built; the moment of the start where nothing was built. */
function readBuildInfo(): SiteConfig['build'] {
  const file = join(clientFolder, 'build-info.json')
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  const now = new Date()
  return { buildTime: now.toISOString(), timestamp: now.getTime() }
}

function announceDevelopment(config: Config, port: number) {
  console.log(`The component gallery is at http://${config.host}:${port}/gallery`)
  console.log('Demo logins: none yet, they come with sign-in.')
}

/** In-flight answers finish, then the database closes; a second signal ends at once. */
function stopOnSignals(http: Http, db: OpenDatabase) {
  const stop = async () => {
    process.once('SIGTERM', () => process.exit(1))
    process.once('SIGINT', () => process.exit(1))
    await http.close()
    await db.close()
    process.exit(0)
  }
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
}

start().catch((error) => {
  // A setting, a folder in use, a database that is away: a sentence is enough. Else the stack.
  console.error(error instanceof ConfigError ? error.message : error)
  process.exit(1)
})

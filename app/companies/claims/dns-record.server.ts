/** The other way to show that one belongs to a company: a TXT record at its domain. */
import { Resolver } from 'node:dns/promises'
import type { ServerContext } from '#app/platform/database/context.server.ts'

/** For one question to one name server. */
const QUESTION_MS = 2_000
/** For all of it: somebody waits for the answer. */
const WHOLE_MS = 5_000

/** The TXT records of a domain, each in one piece; undefined where nobody answered in time. */
export type TxtLookup = (domain: string) => Promise<string[] | undefined>

/** @param servers others than the system's, in tests: `127.0.0.1:5353` */
export function createTxtLookup({
  servers,
  wholeMs = WHOLE_MS,
}: {
  servers?: string[]
  wholeMs?: number
} = {}): TxtLookup {
  return async (domain) => {
    const resolver = new Resolver({ timeout: QUESTION_MS, tries: 2 })
    if (servers) resolver.setServers(servers)
    const enough = setTimeout(() => resolver.cancel(), wholeMs)
    try {
      const records = await resolver.resolveTxt(domain)
      // A long record comes in pieces of 255 bytes.
      return records.map((pieces) => pieces.join('').trim())
    } catch (error) {
      const { code } = error as { code?: string }
      return code === 'ENOTFOUND' || code === 'ENODATA' ? [] : undefined
    } finally {
      clearTimeout(enough)
    }
  }
}

/**
 * What stands in the record: it will be public, so it tells nothing of who claims, and is of use to
 * that claim alone. Nothing is stored of it.
 */
export const recordToken = ({ secrets }: Pick<ServerContext, 'secrets'>, claimId: string) =>
  secrets.hash('employer claim record', claimId)

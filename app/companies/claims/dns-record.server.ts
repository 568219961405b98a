/** Proof by a TXT record at the company's domain. */
import { Resolver } from 'node:dns/promises'
import type { ServerContext } from '#app/platform/database/server-context.server.ts'

/** Longest wait for one query to a name server. */
const QUESTION_MS = 2_000
/** Longest wait for all queries, because a person is waiting. */
const WHOLE_MS = 5_000

/** The TXT records of a domain; undefined if there was no answer in time. */
export type TxtLookup = (domain: string) => Promise<string[] | undefined>

/** @param servers for tests, such as `127.0.0.1:5353` */
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
      // DNS splits long records into pieces of 255 bytes.
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
 * We derive the value instead of storing it. It will be public, so it says nothing about the person and is valid
 * only for this claim.
 */
export const recordToken = ({ secrets }: Pick<ServerContext, 'secrets'>, claimId: string) =>
  secrets.hash('employer claim record', claimId)

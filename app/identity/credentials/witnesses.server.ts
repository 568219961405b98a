/**
 * Copies of the issuer's list on other sites: writes what the operator publishes, and checks whether it's still the
 * same. D68.
 */
import { writeFile } from 'node:fs/promises'
import type { Issuer } from '#app/api/credential/issuer.server.ts'
import { digestsOf, isOneChain, readIssuerList } from '#app/api/credential/issuer-list.ts'
import { type Finding, findingsAbout } from '#app/platform/operations/doctor.server.ts'

const PATIENCE_MS = 8_000

/** Writes the file that a witness serves. There, it needs `access-control-allow-origin: *`. */
export async function writeIssuerList(issuer: Pick<Issuer, 'list'>, path: string) {
  const list = await issuer.list()
  await writeFile(path, `${JSON.stringify(list, null, 2)}\n`)
  return `Wrote the list of issuer keys to ${path}. Its digest is ${list.digest}. Publish the file and add its URL to ISSUER_WITNESSES.`
}

/** Compares each copy with this site's list. */
export async function witnessFindings(
  issuer: Pick<Issuer, 'list'>,
  witnesses: readonly string[],
): Promise<Finding[]> {
  if (witnesses.length === 0) return []
  const { keys, quarter } = await issuer.list()
  const digests = digestsOf(keys)
  const current = keys.findIndex((key) => key.quarter === quarter)
  return Promise.all(witnesses.map((witness) => witnessFinding(witness, digests, current)))
}

async function witnessFinding(witness: string, digests: string[], current: number) {
  const { ok, warning, problem } = findingsAbout('keys')
  const published = await digestsAt(witness)
  if (!published)
    return warning(
      `The witness ${witness} doesn’t serve the list of issuer keys. Publish the list there again: npm run admin -- issuer-list FILE.`,
    )
  if (!isOneChain(published, digests))
    return problem(
      `The issuer keys at the witness ${witness} differ from this site’s, so browsers reject ours. If you restored an old backup, publish the list again: npm run admin -- issuer-list FILE. If you didn’t, find out which list was changed, and by whom.`,
    )
  return published.length <= current
    ? warning(
        `The witness ${witness} doesn’t have the current quarter’s key. Publish the list again: npm run admin -- issuer-list FILE.`,
      )
    : ok(`The witness ${witness} has the same issuer keys.`)
}

async function digestsAt(url: string) {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const text = await fetch(url, { redirect: 'error', signal })
    .then((response) => response.text())
    .catch(() => '')
  const list = readIssuerList(text)
  return list && digestsOf(list.keys)
}

/** How a page asks which build is published, and whether the site answers at all. Spec §7.4. */
import { BUILD_INFO_PATH, buildIn, CHECK_TIMEOUT_MS, type Check, FAVICON_PATH } from './update.ts'

/** Who asks within this time of each other gets one answer: both checkers ask every two minutes. */
const SHARED_MS = 1000

/** Makes the question which build is published; it never rejects. */
export function createBuildCheck(): () => Promise<Check> {
  let asked: { at: number; answer: Promise<Check> } | undefined
  return () => {
    const now = Date.now()
    if (!asked || Math.abs(now - asked.at) >= SHARED_MS)
      asked = { at: now, answer: ask(BUILD_INFO_PATH, 'GET') }
    return asked.answer
  }
}

/** Whether anything comes back, whatever it says: for the certificate. Never rejects. */
export const checkAnswers = (): Promise<Check> => ask(FAVICON_PATH, 'HEAD')

async function ask(path: string, method: 'GET' | 'HEAD'): Promise<Check> {
  const patience = new AbortController()
  const timer = setTimeout(() => patience.abort(), CHECK_TIMEOUT_MS)
  try {
    // A query that never was before: no cache on the way has an answer to it.
    const response = await fetch(`${path}?t=${Date.now()}`, {
      method,
      cache: 'no-store',
      credentials: 'omit',
      signal: patience.signal,
    })
    const build = response.ok && method === 'GET' ? buildIn(await jsonOf(response)) : undefined
    return build ? { build } : { failure: 'refused' }
  } catch {
    return { failure: patience.signal.aborted ? 'timeout' : 'network' }
  } finally {
    clearTimeout(timer)
  }
}

/** Undefined for what is no JSON; a connection that breaks meanwhile still throws. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

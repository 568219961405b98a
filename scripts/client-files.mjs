// The files that the built site sends to browsers: compressed in advance, listed by digest, compared with a site's.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const SHRINKS = /\.(js|css|svg|json|txt|html)$/
/** Anything smaller fits into one packet anyway. */
const AT_LEAST_BYTES = 1_400

/**
 * Writes a Brotli and a gzip file next to each file that gets smaller, so the server never compresses while someone
 * waits.
 */
export function compressFiles(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name)
    if (!SHRINKS.test(name) || !statSync(path).isFile()) continue
    const bytes = readFileSync(path)
    if (bytes.length < AT_LEAST_BYTES) continue
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    }
    writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
    writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  }
}

/** Files that aren't served, or only as another file's encoding, and the two that say when a build was made. */
const NOT_LISTED = /\.(br|gz)$|(^|\/)manifest\.json$|^build-(info|time)\.json$/

/**
 * @param folder the client's, as built
 * @returns each served file's path and digest, `{ '/assets/a.js': 'sha256-…' }`, in an order that's the same everywhere
 */
export function digestsOf(folder) {
  const names = readdirSync(folder, { recursive: true })
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => !NOT_LISTED.test(name))
    .sort()
  return Object.fromEntries(
    names.map((name) => [`/${name}`, digestOf(readFileSync(join(folder, name)))]),
  )
}

const digestOf = (bytes) => `sha256-${createHash('sha256').update(bytes).digest('base64')}`

/**
 * Reads all of a site's files as any browser gets them, and the scripts of its first page.
 * @param digests of our own build, from `digestsOf` @returns a line for each difference from our build
 * @throws if the site doesn't answer
 */
export async function differences(digests, site) {
  const get = async (path) => {
    const response = await fetch(new URL(path, site), { redirect: 'error' })
    return { isThere: response.ok, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const told = JSON.parse((await get('/build-info.json')).bytes.toString()).files ?? {}
  const found = Object.keys(told)
    .filter((path) => !(path in digests))
    .map((path) => `${path} isn’t in this build`)
  for (const [path, digest] of Object.entries(digests)) {
    const { isThere, bytes } = await get(path)
    if (!isThere) found.push(`${path} is missing`)
    else if (digestOf(bytes) !== digest) found.push(`${path} is different`)
    else if (told[path] !== digest) found.push(`${path} is different in /build-info.json`)
  }
  const page = (await get('/')).bytes.toString()
  const ours = new Set(Object.values(digests))
  for (const [, attributes, text] of page.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs)) {
    const src = /\bsrc="([^"]*)"/.exec(attributes)?.[1]
    const isData = /type="application\/(ld\+)?json"/.test(attributes)
    if (src === undefined ? !isData && !ours.has(digestOf(text)) : !(src in digests))
      found.push(`the first page runs ${src ?? 'another inline script'}`)
  }
  return found
}

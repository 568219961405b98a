/** Fetches a feed from the public web, and reads its rows. */
import { type FileRow, rowsIn } from '#app/companies/importing/file-rows.server.ts'
import { fetchProblem, USER_AGENT } from '#app/companies/scraping/polite-fetch.server.ts'
import { type FetchPublic, MEGABYTE, NotFetched } from '#app/platform/http/public-fetch.server.ts'
import { badRequest, isRefusal } from '#app/platform/http/refusal.ts'
import { JOB_TABLE } from '../import/read-job.server.ts'
import { FEED_JOBS_MAX, FEED_MEGABYTES_MAX, FEED_REFUSALS } from './job-feed.ts'

/** Including redirects and trickling bodies. */
const FEED_MS = 60_000
const PIECE_BYTES = 64 * 1024

/** What the server said about the version that we read last. */
export interface Version {
  etag?: string | undefined
  lastModified?: string | undefined
}

/** @throws FeedProblem */
export async function fetchFeed(fetchPublic: FetchPublic, address: string, known: Version = {}) {
  const isAsked = known.etag || known.lastModified
  const limits = {
    maxBytes: FEED_MEGABYTES_MAX * MEGABYTE,
    ms: FEED_MS,
    userAgent: USER_AGENT,
    headers: {
      accept: 'application/xml, application/json, text/csv, */*;q=0.5',
      ...(known.etag && { 'if-none-match': known.etag }),
      ...(known.lastModified && { 'if-modified-since': known.lastModified }),
    },
  }
  const fetched = await fetchPublic(address, limits).catch((error) => {
    if (isAsked && error instanceof NotFetched && error.status === 304) return undefined
    throw new FeedProblem(fetchProblem(error, 'feed'))
  })
  if (!fetched) return 'unchanged'
  const { body, etag, lastModified } = fetched
  const rows = await rowsOf(body).catch((error) => {
    throw isRefusal(error) ? new FeedProblem(error.message) : error
  })
  return { rows, version: { etag, lastModified } }
}

/** Its message is a sentence for people. */
export class FeedProblem extends Error {
  override name = 'FeedProblem'
}

async function rowsOf(body: Buffer) {
  const rows: FileRow[] = []
  for await (const row of rowsIn(piecesOf(body), formatOf(body), JOB_TABLE)) {
    rows.push(row)
    if (rows.length > FEED_JOBS_MAX) throw badRequest(FEED_REFUSALS.tooMany)
  }
  return rows
}

function* piecesOf(body: Buffer) {
  for (let at = 0; at < body.length; at += PIECE_BYTES) yield body.subarray(at, at + PIECE_BYTES)
}

/** By its first character, because servers are often wrong about the type. */
function formatOf(body: Buffer) {
  const [first] =
    body
      .subarray(0, 256)
      .toString('latin1')
      .match(/[\x21-\x7e]/) ?? []
  if (first === '<') return 'xml'
  return first === '{' || first === '[' ? 'json' : 'csv'
}

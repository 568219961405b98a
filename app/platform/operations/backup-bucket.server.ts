/** Backups in an S3-compatible bucket. Only the commands load this file. */
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { S3mini, S3ServiceError, type UploadPart } from 's3mini'
import { fetch } from 'undici'
import { BackupError } from './backup-file.server.ts'
import type { BackupStore } from './backup-folder.server.ts'
import { type Config, ConfigError } from './config.server.ts'

/** In memory, there's one at a time. A bucket takes 10,000, so 160 GB. */
const PART_BYTES = 16 * 1024 * 1024
const TRIES = 5

/** @throws ConfigError without the settings */
export function bucketFiles({ url, region, accessKey, secretKey }: Config['s3']): BackupStore {
  if (!url || !accessKey || !secretKey)
    throw new ConfigError('For s3:// paths, set S3_URL, S3_ACCESS_KEY and S3_SECRET_KEY.')
  const at = (path: string) => {
    const [, bucket, key = ''] = /^s3:\/\/([^/]+)\/?(.*)$/.exec(path) ?? []
    const client = new S3mini({
      endpoint: `${url}/${bucket}`,
      region,
      accessKeyId: accessKey,
      secretAccessKey: secretKey,
      // Once undici is loaded, Node's own one counts a body twice.
      fetch: fetch as unknown as typeof globalThis.fetch,
    })
    return { client, key }
  }

  return {
    async read(path) {
      const { client, key } = at(path)
      const response = await client.getObjectResponse(key).catch(explain)
      const body = response?.body as AsyncIterable<Uint8Array> | null | undefined
      return body ? Readable.from(explained(body)) : undefined
    },
    async save(path, content, check) {
      const { client, key } = at(path)
      const parts: UploadPart[] = []
      let bytes = 0
      const upload = await client.getMultipartUploadId(key, 'application/gzip').catch(explain)
      try {
        for await (const part of inParts(content)) {
          bytes += part.length
          const number = parts.length + 1
          parts.push(await retried(() => client.uploadPart(key, upload, part, number)))
        }
        await client.completeMultipartUpload(key, upload, parts)
      } catch (error) {
        // Otherwise, the parts stay there, invisible, and cost money.
        await client.abortMultipartUpload(key, upload).catch(() => {})
        return explain(error)
      }
      await check(path).catch(async (error) => {
        await client.deleteObject(key).catch(() => {})
        throw error
      })
      return bytes
    },
    async prepare() {},
    async list(folder) {
      const { client, key } = at(folder)
      const prefix = key && withSlash(key)
      const found = await client.listObjects('/', prefix).catch(explain)
      return (found ?? []).map(({ Key }) => Key.slice(prefix.length))
    },
    async remove(path) {
      const { client, key } = at(path)
      await client.deleteObject(key).catch(explain)
    },
    inside: (folder, name) => withSlash(folder) + name,
  }
}

const withSlash = (path: string) => (path.endsWith('/') ? path : `${path}/`)

async function* inParts(content: Readable) {
  let begun: Buffer[] = []
  let bytes = 0
  for await (const chunk of content as AsyncIterable<Buffer>) {
    begun.push(chunk)
    bytes += chunk.length
    if (bytes < PART_BYTES) continue
    yield Buffer.concat(begun)
    begun = []
    bytes = 0
  }
  if (bytes > 0) yield Buffer.concat(begun)
}

/** A part that fails doesn't cost the others: at once, then after 1, 2 and 4 seconds. */
async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let tries = 1; ; tries++)
    try {
      return await work()
    } catch (error) {
      if (tries === TRIES || (error instanceof S3ServiceError && error.status < 500)) throw error
      await wait(tries > 1 ? 500 * 2 ** (tries - 1) : 0)
    }
}

async function* explained(content: AsyncIterable<Uint8Array>) {
  try {
    yield* content
  } catch (error) {
    explain(error)
  }
}

/** Uses codes, because a server's text may quote a key. */
function explain(error: unknown): never {
  if (error instanceof BackupError) throw error
  if (error instanceof S3ServiceError)
    throw new BackupError(
      `The bucket refused (${error.status} ${wordOf(error.serviceCode)}). Check its name, S3_URL, S3_REGION, S3_ACCESS_KEY and S3_SECRET_KEY.`,
    )
  const { code, cause } = error as { code?: string; cause?: { code?: string } }
  throw new BackupError(
    `We lost or couldn’t get the connection to S3_URL (${wordOf(code ?? cause?.code)}).`,
  )
}

const wordOf = (code: string | undefined) => /^\w{1,40}$/.exec(code ?? '')?.[0] ?? 'unknown error'

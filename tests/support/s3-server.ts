/** A small S3 on loopback for tests. It checks signatures and multipart uploads as strictly as Amazon's. */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface S3Server {
  env: Record<'S3_URL' | 'S3_REGION' | 'S3_ACCESS_KEY' | 'S3_SECRET_KEY', string>
  /** By `bucket/key`. */
  objects: Map<string, Buffer>
  /** Uploads that were neither completed nor aborted. */
  uploads: Map<string, Map<number, Buffer>>
  /** What it received, such as `PUT bucket/key?partNumber=1&uploadId=…`. */
  log: string[]
  /** Called before it answers. It may wait, or return a status to refuse with. */
  before: (line: string) => unknown
  stop(): Promise<void>
}

interface Request {
  method: string
  /** Encoded, with its query. */
  url: string
  headers: IncomingHttpHeaders
}

const ACCESS_KEY = 'AKIAIOSFODNN7EXAMPLE'
const SECRET_KEY = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const REGION = 'eu-central-1'
const LEAST_PART_BYTES = 5 * 1024 * 1024
const LISTED_AT_ONCE = 2
const SKEW_MS = 15 * 60_000

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')
const md5 = (content: string | Buffer) => createHash('md5').update(content).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** AWS Signature Version 4 of a request, with what its authorization header says is signed. */
export function signatureOf({ method, url, headers }: Request, secretKey = SECRET_KEY) {
  const authorization = headers.authorization ?? ''
  const [, day = '', region = '', names = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+),/.exec(
      authorization,
    ) ?? []
  const [path = '', query = ''] = url.split('?')
  const canonical = [
    method,
    path,
    query
      .split('&')
      .filter(Boolean)
      .map((part) => (part.includes('=') ? part : `${part}=`))
      .toSorted()
      .join('&'),
    ...names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`),
    '',
    names,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = `AWS4-HMAC-SHA256\n${headers['x-amz-date']}\n${scope}\n${sha256(canonical)}`
  const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretKey}`)
  return hmac(key, text).toString('hex')
}

/** Why it refuses: Amazon's code. */
function problemOf(request: Request, body: Buffer) {
  const { authorization = '', 'x-amz-date': date, 'x-amz-content-sha256': hash } = request.headers
  const signed = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? []
  if (!authorization.includes(`Credential=${ACCESS_KEY}/`)) return 'InvalidAccessKeyId'
  if (!authorization.includes(`/${REGION}/s3/`)) return 'AuthorizationHeaderMalformed'
  const musts = Object.keys(request.headers).filter((name) => name.startsWith('x-amz-'))
  if (!['host', ...musts].every((name) => signed.includes(name))) return 'AccessDenied'
  const at = String(date).replace(/^(....)(..)(..)T(..)(..)(..)Z$/, '$1-$2-$3T$4:$5:$6Z')
  if (!(Math.abs(Date.now() - Date.parse(at)) < SKEW_MS)) return 'RequestTimeTooSkewed'
  if (!authorization.endsWith(`Signature=${signatureOf(request)}`)) return 'SignatureDoesNotMatch'
  if (hash !== 'UNSIGNED-PAYLOAD' && hash !== sha256(body)) return 'XAmzContentSHA256Mismatch'
  return undefined
}

export async function startS3({ buckets = ['backups'] } = {}): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const uploads: S3Server['uploads'] = new Map()
  const log: string[] = []
  const started = { objects, uploads, log, before: (_line: string): unknown => undefined }

  function complete(path: string, id: string, xml: string) {
    const parts = uploads.get(id)
    const listed = [...xml.matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>"?(\w+)"?</g)]
    const contents = listed.map(([, number]) => parts?.get(Number(number)) ?? Buffer.alloc(0))
    const isRight = listed.every(
      ([, number, tag], i) => Number(number) === i + 1 && tag === md5(contents[i] as Buffer),
    )
    if (!parts || listed.length === 0 || !isRight) return refusal(400, 'InvalidPart')
    if (contents.slice(0, -1).some(({ length }) => length < LEAST_PART_BYTES))
      return refusal(400, 'EntityTooSmall')
    uploads.delete(id)
    objects.set(path, Buffer.concat(contents))
    return answer(
      `<CompleteMultipartUploadResult><ETag>"x-${contents.length}"</ETag></CompleteMultipartUploadResult>`,
    )
  }

  function list(bucket: string, query: URLSearchParams) {
    const prefix = `${bucket}/${query.get('prefix') ?? ''}`
    const after = query.get('continuation-token') ?? ''
    const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after)
    const shown = keys.toSorted().slice(0, LISTED_AT_ONCE)
    const contents = shown.map(
      (key) =>
        `<Contents><Key>${key.slice(bucket.length + 1)}</Key><Size>${objects.get(key)?.length}</Size></Contents>`,
    )
    const rest =
      keys.length > shown.length
        ? `<IsTruncated>true</IsTruncated><NextContinuationToken>${shown.at(-1)}</NextContinuationToken>`
        : '<IsTruncated>false</IsTruncated>'
    return answer(`<ListBucketResult>${contents.join('')}${rest}</ListBucketResult>`)
  }

  function answerTo({ method, url }: Request, body: Buffer) {
    const { pathname, searchParams: query } = new URL(url, 'http://s3')
    const path = decodeURIComponent(pathname.slice(1)).replace(/\/$/, '')
    const bucket = path.split('/')[0] as string
    const upload = query.get('uploadId')
    const part = query.get('partNumber')
    if (!buckets.includes(bucket)) return refusal(404, 'NoSuchBucket')
    if (method === 'GET' && query.get('list-type') === '2') return list(bucket, query)
    if (method === 'GET') {
      const content = objects.get(path)
      return content ? { status: 200, content } : refusal(404, 'NoSuchKey')
    }
    if (method === 'POST' && query.has('uploads')) {
      const id = `upload-${log.length}`
      uploads.set(id, new Map())
      return answer(
        `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      )
    }
    if (upload && !uploads.has(upload)) return refusal(404, 'NoSuchUpload')
    if (method === 'PUT' && upload && part) {
      uploads.get(upload)?.set(Number(part), body)
      return { status: 200, content: Buffer.alloc(0), tag: md5(body) }
    }
    if (method === 'POST' && upload) return complete(path, upload, body.toString('utf8'))
    if (method === 'DELETE') {
      if (upload) uploads.delete(upload)
      else objects.delete(path)
      return { status: 204, content: Buffer.alloc(0) }
    }
    return refusal(501, 'NotImplemented')
  }

  const server = createServer(async (incoming, response) => {
    const request = requestOf(incoming)
    const body = await buffer(incoming)
    const line = `${request.method} ${decodeURIComponent(request.url.slice(1))}`
    log.push(line)
    const status = await started.before(line)
    const problem = problemOf(request, body)
    const found =
      typeof status === 'number'
        ? refusal(status, 'SlowDown')
        : problem
          ? refusal(403, problem)
          : answerTo(request, body)
    response.writeHead(found.status, {
      'content-type': 'application/xml',
      ...('tag' in found && { etag: `"${found.tag}"` }),
    })
    response.end(found.content)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(started, {
    env: {
      S3_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      S3_REGION: REGION,
      S3_ACCESS_KEY: ACCESS_KEY,
      S3_SECRET_KEY: SECRET_KEY,
    },
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
}

const requestOf = ({ method = '', url = '', headers }: IncomingMessage) => ({
  method,
  url,
  headers,
})

const answer = (xml: string) => ({
  status: 200,
  content: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${xml}`),
})

/** Quotes the key, as real ones do, so a test finds it if we pass it on. */
const refusal = (status: number, code: string) => ({
  ...answer(`<Error><Code>${code}</Code><Message>${ACCESS_KEY}</Message></Error>`),
  status,
})

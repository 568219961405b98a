/**
 * Verifies and issues credentials in separate threads, so a flood of invalid ones delays no other
 * request. The queue is bounded: excess callers are asked to come back.
 */
import { Worker } from 'node:worker_threads'
import { Unavailable } from '#app/platform/http/unavailable.ts'
import { Npresentation, NrenewalRequest, Nrequest } from './profile.ts'

interface Waiting {
  question: PoolQuestion
  resolve: (bytes: Uint8Array | undefined) => void
  reject: (error: Error) => void
}

interface PoolOptions {
  threads?: number
  waitingAtMost?: number
}

export type CredentialPool = ReturnType<typeof startCredentialPool>

/** Threads start with the first task, so a site without ratings pays nothing. */
export function startCredentialPool({ threads = 1, waitingAtMost = 50 }: PoolOptions = {}) {
  const waiting: Waiting[] = []
  const busy = new Map<Worker, Waiting>()
  const idle: Worker[] = []
  let isStopped = false

  const assign = () => {
    while (waiting.length > 0 && (idle.length > 0 || busy.size < threads)) {
      const next = waiting.shift()
      if (!next) return
      const worker = idle.pop() ?? start()
      busy.set(worker, next)
      worker.postMessage(next.question)
    }
  }

  const start = () => {
    const worker = startWorker()
    // The worker alone doesn't keep the process alive, but pending requests do.
    worker.unref()
    worker.on('message', ({ bytes }: PoolAnswer) => {
      busy.get(worker)?.resolve(bytes)
      busy.delete(worker)
      idle.push(worker)
      assign()
    })
    const lose = (cause?: Error) => {
      busy.get(worker)?.reject(new Unavailable({ isBusy: true, cause }))
      busy.delete(worker)
      if (idle.includes(worker)) idle.splice(idle.indexOf(worker), 1)
      // Another thread takes over the queue.
      if (!isStopped) assign()
    }
    worker.on('error', lose)
    worker.on('exit', () => lose())
    return worker
  }

  const ask = (question: PoolQuestion) =>
    new Promise<Uint8Array | undefined>((resolve, reject) => {
      const isFull = busy.size >= threads && waiting.length >= waitingAtMost
      if (isStopped || isFull) return reject(new Unavailable({ isBusy: true }))
      waiting.push({ question, resolve, reject })
      assign()
    })

  return {
    /**
     * @returns the tag, or undefined if it fails
     * @throws Unavailable if the queue is full
     */
    async verify(question: Omit<VerifyQuestion, 'kind'>) {
      if (question.presentation.length !== Npresentation) return
      return ask({ kind: 'verify', ...question })
    },
    /**
     * @returns the response, or undefined if the request proves nothing
     * @throws Unavailable if the queue is full
     */
    async issue(question: Omit<IssueQuestion, 'kind'>) {
      const length = question.commitment ? NrenewalRequest : Nrequest
      if (question.request.length !== length) return
      return ask({ kind: 'issue', ...question })
    },
    async stop() {
      isStopped = true
      for (const { reject } of waiting.splice(0)) reject(new Unavailable({ isBusy: true }))
      await Promise.all([...idle, ...busy.keys()].map((worker) => worker.terminate()))
    },
  }
}

/** The worker is bundled in production. Development and tests run it from source, so they must load tsx first. */
function startWorker() {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./credential-worker.js', import.meta.url))
  const source = new URL('./pool-worker.server.ts', import.meta.url)
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${source.href}') })`
  return new Worker(load, { eval: true })
}

/** Keys from `serializeServerPrivateKey` and `serializeServerPublicKey`. */
export interface IssuerKeys {
  privateKey: Uint8Array
  publicKey: Uint8Array
}

export interface VerifyQuestion {
  kind: 'verify'
  keys: IssuerKeys
  requestContext: Uint8Array
  presentationContext: Uint8Array
  message: Uint8Array
  presentation: Uint8Array
}

export interface IssueQuestion {
  kind: 'issue'
  keys: IssuerKeys
  requestContext: Uint8Array
  request: Uint8Array
  /** The account's stored commitment, from its second request on. */
  commitment: Uint8Array | undefined
}

export type PoolQuestion = VerifyQuestion | IssueQuestion

/** A presentation's tag or a request's response. Undefined if the proof is wrong. */
export interface PoolAnswer {
  bytes: Uint8Array | undefined
}

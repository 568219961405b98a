/** The thread that the embedded database runs in: each answer is paired with its question. */
import { Worker } from 'node:worker_threads'
import type {
  Lost,
  Notification,
  Opened,
  PgliteData,
  Request,
  Response,
} from './pglite-protocol.ts'
import { OutcomeUnknown, Unavailable } from './unavailable.ts'

/** Omit for each member, so that the union of messages stays a union. */
type WithoutId<Message> = Message extends unknown ? Omit<Message, 'id'> : never

interface Question {
  resolve: (answer: { rows: unknown[] }) => void
  reject: (error: Error) => void
  isCommit: boolean
  timer: NodeJS.Timeout
}

/**
 * Starts the worker and opens the database in it.
 * @param onLost called once when the engine gives up, ends or does not answer in time: then everything
 * fails, what waits and what comes, until it is opened anew
 * @throws an Error with a sentence when it could not be opened.
 */
export async function startThread(
  data: PgliteData,
  { openWithin, onLost }: { openWithin: number; onLost: (why: Error) => void },
) {
  const worker = startWorker(data)
  const waiting = new Map<number, Question>()
  const listeners = new Map<string, ((payload: string) => void)[]>()
  let lastId = 0
  let end: Error | undefined

  /** Answers whether this was the end, and not something after it. */
  const endWith = (why: Error) => {
    if (end) return false
    end = why
    for (const { reject, timer, isCommit } of waiting.values()) {
      clearTimeout(timer)
      reject(isCommit ? new OutcomeUnknown({ cause: why }) : new Unavailable({ cause: why }))
    }
    waiting.clear()
    return true
  }
  let opened: (() => void) | undefined
  let refuse: ((error: Error) => void) | undefined
  const lose = (why: string) => {
    const what = refuse ? 'could not be opened' : 'is lost'
    const error = new Error(`The embedded database ${what}: ${why}`)
    if (!endWith(error)) return
    // An engine that goes round in circles ends with its thread.
    worker.terminate()
    if (refuse) refuse(error)
    else onLost(error)
  }

  worker.on('error', (error) => lose(error.message))
  worker.on('exit', () => lose('its thread ended'))
  worker.on('message', (message: Opened | Response | Notification | Lost) => {
    if ('lost' in message) return lose(message.lost)
    if ('opened' in message) return message.opened ? opened?.() : lose(message.message)
    if ('channel' in message) {
      for (const listener of listeners.get(message.channel) ?? []) listener(message.payload)
      return
    }
    const question = waiting.get(message.id)
    waiting.delete(message.id)
    if (!question) return
    clearTimeout(question.timer)
    if ('error' in message)
      question.reject(Object.assign(new Error(message.error.message), message.error))
    else question.resolve(message)
  })

  const timer = setTimeout(lose, openWithin, `no end after ${openWithin / 1000} s`)
  await new Promise<void>((resolve, reject) => {
    opened = resolve
    refuse = reject
  }).finally(() => clearTimeout(timer))
  refuse = undefined

  return {
    /** @param within ms after which the whole engine counts as lost */
    ask(message: WithoutId<Request>, within: number) {
      if (end) return Promise.reject(new Unavailable({ cause: end }))
      const id = ++lastId
      return new Promise<{ rows: unknown[] }>((resolve, reject) => {
        const timer = setTimeout(lose, within, `no answer after ${within / 1000} s`)
        const isCommit = message.kind === 'query' && message.text === 'commit'
        waiting.set(id, { resolve, reject, timer, isCommit })
        worker.postMessage({ id, ...message })
      })
    },
    /** Answers whether somebody listens to the channel already. */
    listen(channel: string, listener: (payload: string) => void) {
      const others = listeners.get(channel) ?? []
      listeners.set(channel, [...others, listener])
      return others.length > 0
    },
    async stop() {
      endWith(new Error('The embedded database is closed'))
      await worker.terminate()
    },
  }
}

/** Bundled for production; from its source in development and tests, where tsx must be loaded first. */
function startWorker(workerData: PgliteData) {
  if (!import.meta.url.endsWith('.ts'))
    return new Worker(new URL('./pglite-worker.js', import.meta.url), { workerData })
  const source = new URL('./pglite-worker.server.ts', import.meta.url)
  const load = `import('tsx/esm/api').then((tsx) => { tsx.register(); return import('${source.href}') })`
  return new Worker(load, {
    workerData,
    eval: true,
  })
}

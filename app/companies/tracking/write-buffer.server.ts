/** What is counted often is written rarely: collected here, and written together each second, or as said. */

const FLUSH_MS = 1_000
/** A database that is away for long may cost counts, never the process its memory. */
const ENTRIES_MAX = 100_000
/** Whoever stops the process waits no longer. */
const LAST_FLUSH_MS = 8_000

export interface WriteBuffer<Entry> {
  add(entry: Entry): void
  /** Writes what is here; what could not be written waits for the next time. */
  flush(): Promise<void>
  start(): void
  /** The last flush, at a clean stop; at most 8 s. */
  stop(): Promise<void>
}

/** @param write gets all entries since the last time; when it throws they come again */
export function createWriteBuffer<Entry>(
  write: (entries: Entry[]) => Promise<void>,
  onFailure: (error: unknown) => void = () => {},
  flushMs = FLUSH_MS,
): WriteBuffer<Entry> {
  let waiting: Entry[] = []
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function writeOnce() {
    const entries = waiting
    waiting = []
    if (entries.length === 0) return
    try {
      await write(entries)
    } catch (error) {
      waiting = [...entries, ...waiting].slice(0, ENTRIES_MAX)
      onFailure(error)
    }
  }
  /** One at a time: two would only wait for each other's rows. */
  function flush(): Promise<void> {
    running ??= writeOnce().finally(() => {
      running = undefined
    })
    return running
  }
  return {
    add(entry) {
      if (waiting.length < ENTRIES_MAX) waiting.push(entry)
    },
    flush,
    start() {
      timer ??= setInterval(flush, flushMs).unref()
    },
    async stop() {
      clearInterval(timer)
      let patience: NodeJS.Timeout | undefined
      const enough = new Promise<void>((resolve) => {
        patience = setTimeout(resolve, LAST_FLUSH_MS)
      })
      // What is being written first, then what came meanwhile.
      await Promise.race([flush().then(flush), enough])
      clearTimeout(patience)
    },
  }
}

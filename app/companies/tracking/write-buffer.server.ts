/** Collects entries, and writes them together each second or as configured. */

const FLUSH_MS = 1_000
/** While the database is down, we drop entries beyond this to save memory. */
const ENTRIES_MAX = 100_000
/** The longest wait at a shutdown. */
const LAST_FLUSH_MS = 8_000

interface WriteBuffer<Entry> {
  add(entry: Entry): void
  /** Entries we can't write wait for the next time. */
  flush(): Promise<void>
  start(): void
  /** Flushes a last time, for at most 8 s. */
  stop(): Promise<void>
}

/** @param write gets all entries since the last time, plus any it failed to write */
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
  /** One at a time, because two would wait for each other's row locks. */
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
      // First what we're writing, then what came in meanwhile.
      await Promise.race([flush().then(flush), enough])
      clearTimeout(patience)
    },
  }
}

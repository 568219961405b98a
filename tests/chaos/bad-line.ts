/** A TCP proxy whose connections can be cut, frozen, delayed and refused: a bad network. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface Link {
  /** What a PostgreSQL client calls itself in its first message. Undefined for other clients. */
  name: string | undefined
}

type Which = (link: Link) => boolean

export interface BadLine {
  port: number
  /** Breaks the current connections. Both ends notice. */
  cut(which?: Which): void
  /** Stops passing data through the current connections. Neither end notices. */
  freeze(which?: Which): void
  /** Ends the frozen connections. */
  thaw(): void
  /** Breaks new connections immediately, until called with false. */
  refuse(isRefusing: boolean): void
  /** Accepts new connections and never answers them, until called with false. */
  silence(isSilent: boolean): void
  /** Delays all data by this long, in both directions. */
  delay(ms: number): void
  /** Breaks a connection right after the client has sent something that matches. */
  cutAfter(words: RegExp | undefined): void
  stop(): Promise<void>
}

export async function startBadLine(target: { host: string; port: number }): Promise<BadLine> {
  interface Open extends Link {
    ends: Socket[]
    isFrozen: boolean
  }
  const open = new Set<Open>()
  let isRefusing = false
  let isSilent = false
  let delayMs = 0
  let lastWords: RegExp | undefined

  const server = createServer({ noDelay: true }, (client) => {
    if (isRefusing) return client.resetAndDestroy()
    if (isSilent) return hold(client)
    const far = connect({ ...target, noDelay: true })
    const link: Open = { name: undefined, ends: [client, far], isFrozen: false }
    open.add(link)
    for (const end of link.ends) {
      end.on('error', () => {})
      end.on('close', (hadError) => {
        // The other end of a frozen connection mustn't notice that this one closed. Data sent before closing still arrives.
        if (hadError && !link.isFrozen) drop(link)
        else if (link.ends.every(({ destroyed }) => destroyed)) open.delete(link)
      })
    }
    client.once('data', (first) => {
      link.name = nameIn(first)
    })
    client.on('data', (said) => {
      if (lastWords?.test(said.toString('latin1'))) setImmediate(() => drop(link))
    })
    client.pipe(late()).pipe(far)
    far.pipe(late()).pipe(client)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  /** One chunk at a time, because a slow line keeps the order. */
  const late = () =>
    new Transform({
      transform(piece, _encoding, done) {
        if (delayMs === 0) done(null, piece)
        else setTimeout(done, delayMs, null, piece)
      },
    })
  function hold(client: Socket) {
    client.on('error', () => {})
    open.add({ name: undefined, ends: [client], isFrozen: true })
  }
  function drop(link: Open) {
    open.delete(link)
    for (const end of link.ends) end.destroyed || end.resetAndDestroy()
  }
  const those = (which: Which = () => true) => [...open].filter(which)

  return {
    port: (server.address() as AddressInfo).port,
    cut: (which) => those(which).forEach(drop),
    freeze(which) {
      for (const link of those(which)) {
        link.isFrozen = true
        for (const end of link.ends) end.unpipe().pause()
      }
    },
    thaw: () =>
      those()
        .filter(({ isFrozen }) => isFrozen)
        .forEach(drop),
    refuse(yes) {
      isRefusing = yes
    },
    silence(yes) {
      isSilent = yes
    },
    delay(ms) {
      delayMs = ms
    },
    cutAfter(words) {
      lastWords = words
    },
    async stop() {
      server.close()
      those().forEach(drop)
      await once(server, 'close')
    },
  }
}

/** Reads PostgreSQL's first message: length, version, then names and values, each ending in a zero byte. */
function nameIn(first: Buffer): string | undefined {
  const words = first.subarray(8).toString('latin1').split('\0')
  const at = words.indexOf('application_name')
  return at < 0 ? undefined : words[at + 1]
}

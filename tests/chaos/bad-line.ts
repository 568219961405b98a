/** A TCP proxy whose connections can be cut, silenced, delayed and refused: a bad network. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { Transform } from 'node:stream'

export interface Link {
  /** What a PostgreSQL client calls itself in its first message; undefined for everybody else. */
  name: string | undefined
}

type Which = (link: Link) => boolean

export interface BadLine {
  port: number
  /** Breaks what connections there are: both ends learn it. */
  cut(which?: Which): void
  /** Nothing goes through those that are there now any more, and neither end learns it. */
  freeze(which?: Which): void
  /** Ends the frozen ones. */
  thaw(): void
  /** New connections are broken at once, until it is called with false. */
  refuse(isRefusing: boolean): void
  /** New connections are taken and never answered, until it is called with false. */
  silence(isSilent: boolean): void
  /** Every piece of data waits so long, in either direction. */
  delay(ms: number): void
  /** A connection is broken right after the client has said something that matches. */
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
        // The other end of a frozen one must not learn that this one went away; last words arrive.
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

  /** One piece after the other: a slow line keeps its order. */
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

/** PostgreSQL's first message: length, version, then names and values that end with a zero each. */
function nameIn(first: Buffer): string | undefined {
  const words = first.subarray(8).toString('latin1').split('\0')
  const at = words.indexOf('application_name')
  return at < 0 ? undefined : words[at + 1]
}

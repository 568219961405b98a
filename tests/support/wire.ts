import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface Wire {
  /** The same address, but through the wire. */
  through(url: string): string
  /** Stops sending on all connections, including new ones, but closes none, like a pulled cable. */
  goSilent(): void
  /** Refuses new connections and cuts existing ones, like a server that's down. */
  refuse(): void
  speakAgain(): void
  cut(): void
  /** Checks what's sent to the server. On true, it cuts that connection once the server has answered. */
  cutsAnswerTo(is: (sent: Buffer) => boolean): void
  stop(): Promise<void>
}

/** A TCP wire on loopback in front of the server of `url` that breaks in the ways that networks do. */
export async function startWire(url: string): Promise<Wire> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  let isSilent = false
  let isRefusing = false
  let isLast = (_sent: Buffer) => false
  const server = createServer((near) => {
    if (isRefusing) return near.destroy()
    const far = connect(Number(port), hostname)
    let isDoomed = false
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      // A silent wire hides that one end has closed, too.
      socket.on('close', () => {
        sockets.delete(socket)
        if (!isSilent) end()
      })
    }
    near.on('data', (sent) => {
      if (isSilent) return
      if (isLast(sent)) isDoomed = true
      far.write(sent)
    })
    far.on('data', (answer) => {
      if (isDoomed) end()
      else if (!isSilent) near.write(answer)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const own = (server.address() as { port: number }).port
  const cut = () => {
    for (const socket of sockets) socket.destroy()
  }
  return {
    through: (url) => Object.assign(new URL(url), { hostname: '127.0.0.1', port: own }).href,
    goSilent() {
      isSilent = true
    },
    refuse() {
      isRefusing = true
      cut()
    },
    speakAgain() {
      isSilent = false
      isRefusing = false
    },
    cut,
    cutsAnswerTo(is) {
      isLast = is
    },
    async stop() {
      server.close()
      cut()
      await once(server, 'close')
    },
  }
}

/** A proxy that lies, in front of a site. Proves that the checker notices lies. */
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What happens to comments in turn: stored, acknowledged without being stored, stored twice. */
const TURNS = 3

/**
 * Keeps showing each page as it first saw it.
 * @returns its address, and how to end it
 */
export async function startLiar(site: string): Promise<{ url: string; stop(): void }> {
  const pages = new Map<string, string>()
  let comments = 0

  async function answer(request: IncomingMessage): Promise<{ status: number; text: string }> {
    const { method = '', url = '/' } = request
    const body = Buffer.concat(await request.toArray()).toString()
    const kept = pages.get(url)
    if (kept) return { status: 200, text: kept }
    const forward = async (body: string) => {
      const { 'content-length': _, connection: __, host: ___, ...headers } = request.headers
      const response = await fetch(site + url, {
        method,
        redirect: 'manual',
        headers: headers as Record<string, string>,
        ...(body && { body }),
      })
      return { status: response.status, text: await response.text() }
    }
    if (method === 'POST' && url.endsWith('/comments')) {
      const turn = comments++ % TURNS
      if (turn === 1) return { status: 201, text: JSON.stringify({ id: randomUUID() }) }
      if (turn === 2)
        await forward(JSON.stringify({ ...JSON.parse(body), idempotencyKey: randomUUID() }))
    }
    const told = await forward(body)
    if (method === 'GET' && url.startsWith('/thread/') && told.status === 200)
      pages.set(url, told.text)
    return told
  }

  const server = createServer((request, response) => {
    answer(request).then(
      ({ status, text }) => response.writeHead(status).end(text),
      () => response.destroy(),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

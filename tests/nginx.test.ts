/** What people get from nginx while no process of the site answers. */
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { freePort } from './support/postgres-cluster.ts'
import { findProgram, startNginx } from './support/programs.ts'

const NONE = 'not installed here: nginx'

test('nginx shows a page of the site’s own while it restarts, and the site’s own 503 otherwise', async ({
  skip,
}) => {
  skip(!findProgram('nginx'), NONE)
  const port = await freePort()
  const nginx = await startNginx([port])
  const url = `http://127.0.0.1:${nginx.port}`
  const site = createServer((_, response) => {
    response.writeHead(503, { 'retry-after': '9' }).end('The site is very busy')
  })
  try {
    const away = await fetch(`${url}/companies`)
    expect(away.status).toBe(502)
    expect(await away.text()).toBe(await readFile('deploy/restarting.html', 'utf8'))
    expect(away.headers.get('content-type')).toContain('text/html')
    expect(away.headers.get('retry-after')).toBe('5')
    expect(away.headers.get('cache-control')).toBe('no-store')

    site.listen(port, '127.0.0.1')
    await once(site, 'listening')
    const busy = await fetch(`${url}/companies`)
    expect([busy.status, busy.headers.get('retry-after'), await busy.text()]).toEqual([
      503,
      '9',
      'The site is very busy',
    ])
    // No one needs it as a page.
    expect((await fetch(`${url}/restarting.html`)).status).not.toBe(200)
  } finally {
    site.close()
    site.closeAllConnections()
    await nginx.stop()
  }
})

/** The built site loses its embedded database: it says why and ends, and what it said yes to is there. */
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { type Site, startSite } from '../support/server.ts'

const writeThread = (site: Site, title: string) =>
  fetch(`${site.url}/api/v1/threads`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-anonymous-id': `anon-${'5ec2'.repeat(8)}` },
    body: JSON.stringify({
      title,
      body: 'It happened here.',
      topics: ['culture'],
      sending: crypto.randomUUID(),
    }),
  })

/** Linux alone can say it of a process that runs. */
test.runIf(process.platform === 'linux')(
  'a disk that takes nothing more ends the site, which says why; started again it has what was acknowledged',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'kettle-embedded-lost-'))
    onTestFinished(() => rm(dataDir, { recursive: true, force: true }))
    const start = async () => {
      const site = await startSite({
        env: { DATA_DIR: dataDir, STARTER: 'none', PROOF_OF_WORK: '0', RATE_LIMITS: 'off' },
      })
      onTestFinished(async () => {
        await site.stop()
      })
      return site
    }
    const site = await start()
    const written = await writeThread(site, 'Vera was told yes')
    expect(written.status).toBe(201)
    const { id } = (await written.json()) as { id: string }

    // From now on no byte can be written to any file, by root's processes neither.
    execFileSync('prlimit', ['--fsize=0', '--pid', String(site.pid)])
    // A job may meet it before: then nobody listens any more.
    const refused = await writeThread(site, 'Vera was told no').catch(() => undefined)
    expect([503, undefined]).toContain(refused?.status)
    expect(await site.ended).toEqual([1, null])
    const lines = site.logs().match(/^.*embedded database.*$/gm)
    expect(lines).toEqual([
      expect.stringMatching(
        /^The embedded database is lost: could not write to .*: File too large\. The site ends, to be started again\.$/,
      ),
    ])

    const again = await start()
    expect((await fetch(`${again.url}/api/v1/threads/${id}`)).status).toBe(200)
  },
)

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { slow } from './support/amounts.ts'

interface ClientFiles {
  compressFiles(folder: string): void
  digestsOf(folder: string): Record<string, string>
  differences(digests: Record<string, string>, site: string): Promise<string[]>
}
const { href } = new URL('../scripts/client-files.mjs', import.meta.url)
const { compressFiles, differences, digestsOf }: ClientFiles = await import(href)

const root = join(import.meta.dirname, '..')
const folders: string[] = []
const newFolder = () => {
  folders.push(mkdtempSync(join(tmpdir(), 'kettle build-')))
  return folders.at(-1) as string
}
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

const digestOf = (bytes: string | Buffer) =>
  `sha256-${createHash('sha256').update(bytes).digest('base64')}`

function folderWith(files: [name: string, text: string][], time: number) {
  const folder = newFolder()
  for (const [name, text] of files) {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    writeFileSync(join(folder, name), text)
    utimesSync(join(folder, name), time, time)
  }
  return folder
}

/** Each file in the folder with its digest. */
const contentsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [name, digestOf(readFileSync(join(folder, name)))]),
  )

const FIRST = 'first()'
const FILES: [name: string, text: string][] = [
  ['assets/a-B1.js', 'tea()\n'.repeat(1_000)],
  ['assets/Z.css', 'p { color: teal }'],
  ['assets/first.js', FIRST],
  ['favicon.svg', '<svg/>'],
  ['.vite/manifest.json', '{}'],
]

test('a build’s compressed files and list depend on contents, not on times or order', () => {
  const one = folderWith(FILES, 1_000_000_000)
  const other = folderWith(FILES.toReversed(), 1_700_000_000)
  for (const folder of [one, other]) compressFiles(folder)
  expect(contentsOf(other)).toEqual(contentsOf(one))
  expect(Object.keys(contentsOf(one))).toContain('assets/a-B1.js.gz')
  writeFileSync(join(one, 'build-info.json'), '{}')
  expect(JSON.stringify(digestsOf(one))).toBe(JSON.stringify(digestsOf(other)))
  expect(Object.entries(digestsOf(one))).toEqual([
    ['/assets/Z.css', digestOf('p { color: teal }')],
    ['/assets/a-B1.js', digestOf('tea()\n'.repeat(1_000))],
    ['/assets/first.js', digestOf(FIRST)],
    ['/favicon.svg', digestOf('<svg/>')],
  ])
})

test('a site is compared with a build by its list, its files, and what its first page runs', async () => {
  const digests = digestsOf(folderWith(FILES, 1_000_000_000))
  const page = `<script>${FIRST}</script><script type="module" src="/assets/a-B1.js" integrity="x"></script><script type="application/json">{}</script>`
  const sent = new Map<string | undefined, string>([
    ...FILES.map(([name, text]) => [`/${name}`, text] as const),
    ['/', page],
    ['/build-info.json', JSON.stringify({ files: digests })],
  ])
  const server = createServer((request, response) => {
    const text = sent.get(request.url)
    response.writeHead(text === undefined ? 404 : 200).end(text)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const site = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  try {
    expect(await differences(digests, site)).toEqual([])

    sent.set('/assets/a-B1.js', 'coffee()')
    sent.delete('/favicon.svg')
    sent.set('/', `${page}<script>spy()</script><script src="/spy.js"></script>`)
    const told = { ...digests, '/spy.js': digestOf('spy()'), '/assets/Z.css': digestOf('') }
    sent.set('/build-info.json', JSON.stringify({ files: told }))
    expect(await differences(digests, site)).toEqual([
      '/spy.js isn’t in this build',
      '/assets/Z.css is different in /build-info.json',
      '/assets/a-B1.js is different',
      '/favicon.svg is missing',
      'the first page runs another inline script',
      'the first page runs /spy.js',
    ])
  } finally {
    server.closeAllConnections()
    server.close()
  }
})

slow.test(
  'another folder, user, umask, time zone and language make the same build, byte for byte',
  () => {
    const isRoot = process.getuid?.() === 0
    const build = (folder: string, env: NodeJS.ProcessEnv, user = {}) => {
      const command = 'umask 077; exec "$0" scripts/build.mjs'
      const words = ['-c', command, process.execPath]
      const { status, stdout, stderr } = spawnSync('sh', words, {
        ...{ cwd: folder, env, encoding: 'utf8', ...user },
      })
      expect(status, stdout + stderr).toBe(0)
    }
    build(root, process.env)
    const elsewhere = join(newFolder(), 'some', 'where else')
    // As little as the container image is built from.
    const left = /^(\.git|\.env|bench|coverage|data|dist|docs|tests)$/
    for (const name of readdirSync(root).filter((name) => !left.test(name)))
      cpSync(join(root, name), join(elsewhere, name), { recursive: true, verbatimSymlinks: true })
    const user = isRoot ? { uid: 12_345, gid: 12_345 } : {}
    if (isRoot) spawnSync('chown', ['-R', '12345:12345', folders.at(-1) as string])
    const env = { TZ: 'Pacific/Auckland', LC_ALL: 'tr_TR.UTF-8', HOME: '/nowhere', USER: 'kettle' }
    build(elsewhere, { PATH: process.env.PATH, ...env }, user)

    const built = (folder: string) => {
      const files = contentsOf(join(folder, 'dist'))
      const infoName = 'client/build-info.json'
      const info = JSON.parse(readFileSync(join(folder, 'dist', infoName), 'utf8'))
      // These contain the build's time.
      for (const name of [infoName, `${infoName}.br`, `${infoName}.gz`, 'client/build-time.json'])
        delete files[name]
      return { files, listed: info.files, version: info.version }
    }
    const ours = built(root)
    expect(built(elsewhere)).toEqual(ours)
    expect(Object.keys(ours.files).length).toBeGreaterThan(100)
  },
)

import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo, LookupFunction } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createPublicFetch,
  type Guard,
  isPublicAddress,
  MEGABYTE,
  openWeb,
  pageText,
} from './public-fetch.server.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A site on this machine; answers its port, and how often it was asked. */
async function siteThat(answers: RequestListener) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answers(request, response)
  })
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { port: String((server.address() as AddressInfo).port), asked }
}

/** A directory of names in which each has the addresses given here. */
const directory =
  (names: Record<string, string[]>): LookupFunction =>
  (hostname, _options, callback) => {
    const found = (names[hostname] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }))
    if (found.length === 0) callback(new Error('ENOTFOUND'), '')
    else callback(null, found)
  }

/** What the site itself uses, but for the port that a test's server has, and made-up names. */
const strict = (port: string, names: Record<string, string[]> = {}): Guard => ({
  isAllowed: isPublicAddress,
  lookup: directory(names),
  ports: ['', port],
})
/** Lets one name through to this machine, as if it were a public one. */
const open = (port: string, names: Record<string, string[]> = {}): Guard => ({
  ...strict(port, { 'public.test': ['127.0.0.1'], ...names }),
  isAllowed: (address) => address === '127.0.0.1' || isPublicAddress(address),
})
const limits = { maxBytes: MEGABYTE }

describe('what is public', () => {
  test.each(['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:93.184.216.34'])(
    'the address %s is public',
    (address) => expect(isPublicAddress(address)).toBe(true),
  )
  test.each([
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '161.26.0.10',
    '166.11.255.255',
    '100.100.100.200',
    '192.0.0.192',
    'fd00:ec2::254',
    'fd00:42::42',
    '192.0.2.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '240.0.0.1',
    '::',
    '::1',
    '::127.0.0.1',
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::ffff:a9fe:a9fe',
    'fe80::1',
    'fec0::1',
    'fc00::1',
    'fd12:3456::1',
    'ff02::1',
    '2001:db8::1',
    '2002:7f00:1::',
    '64:ff9b::7f00:1',
    'localhost',
    '',
  ])('the address %s isn’t public', (address) => expect(isPublicAddress(address)).toBe(false))
})

describe('internal addresses', () => {
  test.each([
    ['loopback', (port: string) => `http://127.0.0.1:${port}/`],
    ['loopback, in disguise', (port: string) => `http://0x7f.1:${port}/`],
    ['loopback as one number', (port: string) => `http://2130706433:${port}/`],
    ['loopback of IPv6', (port: string) => `http://[::1]:${port}/`],
    ['loopback inside of IPv6', (port: string) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['no address at all', (port: string) => `http://0.0.0.0:${port}/`],
    ['a private range', (port: string) => `http://10.0.0.1:${port}/`],
    ['the cloud’s own answers', (port: string) => `http://169.254.169.254:${port}/latest/`],
    ['a name that leads to loopback', (port: string) => `http://trap.test:${port}/`],
    ['a name that also leads to a private range', (port: string) => `http://both.test:${port}/`],
  ])('an internal address isn’t requested: %s', async (_, address) => {
    const { port, asked } = await siteThat((_request, response) => response.end('secret'))
    const guard = strict(port, {
      'trap.test': ['127.0.0.1'],
      'both.test': ['93.184.216.34', '192.168.0.1'],
    })
    await expect(createPublicFetch(guard)(address(port), limits)).rejects.toThrow(
      'Not a public address',
    )
    expect(asked).toEqual([])
  })

  test('the unmodified guard refuses internal addresses, too', async () => {
    const fetchPublic = createPublicFetch()
    await expect(fetchPublic('http://127.0.0.1/', limits)).rejects.toThrow('Not a public address')
    await expect(fetchPublic('http://localhost/', limits)).rejects.toThrow('Not a public address')
  })

  test.each(['http://10.0.0.1/', 'http://[::1]/', 'http://trap.test/', 'http://169.254.169.254/'])(
    'a redirect doesn’t lead to the internal address %s',
    async (target) => {
      const { port, asked } = await siteThat((request, response) => {
        if (request.url === '/start') response.writeHead(302, { location: target }).end()
        else response.end('secret')
      })
      const guard = open(port, { 'trap.test': ['192.168.0.7'] })
      await expect(
        createPublicFetch(guard)(`http://public.test:${port}/start`, limits),
      ).rejects.toThrow('Not a public address')
      expect(asked).toEqual(['/start'])
    },
  )

  test('a name that resolves differently the second time doesn’t lead to an internal address', async () => {
    const { port, asked } = await siteThat((_request, response) =>
      response.writeHead(302, { location: '/secret', connection: 'close' }).end(),
    )
    const answers = ['127.0.0.1', '10.0.0.1']
    const guard: Guard = {
      ...open(port),
      lookup: (_hostname, _options, callback) =>
        callback(null, [{ address: answers.shift() as string, family: 4 }]),
    }
    await expect(
      createPublicFetch(guard)(`http://public.test:${port}/start`, limits),
    ).rejects.toThrow('Not a public address')
    expect(asked).toEqual(['/start'])
  })
})

describe('only the open web', () => {
  test.each([
    'file:///etc/passwd',
    'ftp://public.test/',
    'http://public.test:22/',
    'http://user:pass@public.test/',
  ])('a fetch of %s is refused', async (address) => {
    await expect(createPublicFetch(open('1'))(address, limits)).rejects.toThrow(
      'Not a public web address',
    )
  })

  test('a fetch is also refused after a redirect', async () => {
    const { port } = await siteThat((_request, response) =>
      response.writeHead(301, { location: 'ftp://public.test/' }).end(),
    )
    await expect(
      createPublicFetch(open(port))(`http://public.test:${port}/`, limits),
    ).rejects.toThrow('Not a public web address')
  })

  test('a fetch follows three redirects, and not four', async () => {
    const { port } = await siteThat((request, response) => {
      const left = Number(request.url?.slice(1))
      if (left > 0) response.writeHead(302, { location: `/${left - 1}` }).end()
      else response.end('here')
    })
    const fetchPublic = createPublicFetch(open(port))
    expect((await fetchPublic(`http://public.test:${port}/3`, limits)).body.toString()).toBe('here')
    await expect(fetchPublic(`http://public.test:${port}/4`, limits)).rejects.toThrow(
      'Too many redirects',
    )
  })

  test('an endless stream is cut or refused', async () => {
    let sent = 0
    const { port } = await siteThat((request, response) => {
      const chunk = Buffer.alloc(64 * 1024, 'a')
      const more = () => {
        while (!response.destroyed && sent < 40 * MEGABYTE) {
          sent += chunk.length
          if (!response.write(chunk)) return response.once('drain', more)
        }
      }
      request.once('close', () => response.destroy())
      more()
    })
    const fetchPublic = createPublicFetch(open(port))
    const at = `http://public.test:${port}/`
    await expect(fetchPublic(at, { maxBytes: 2 * MEGABYTE })).rejects.toThrow('Too long')
    const { body } = await fetchPublic(at, { maxBytes: MEGABYTE, isCut: true })
    expect(body).toHaveLength(MEGABYTE)
    expect(sent).toBeLessThan(30 * MEGABYTE)
  })

  test('a missing page gives nothing', async () => {
    const { port } = await siteThat((_request, response) => response.writeHead(404).end('no'))
    await expect(
      createPublicFetch(open(port))(`http://public.test:${port}/`, limits),
    ).rejects.toThrow('404')
  })
})

describe('an operator’s own source', () => {
  const own = (port: string, guard: Guard = openWeb): Guard => ({
    ...guard,
    ownOrigin: `http://127.0.0.1:${port}`,
  })

  test('an operator’s own source can be at an internal address', async () => {
    const { port } = await siteThat((_request, response) => response.end('ours'))
    const { body } = await createPublicFetch(own(port))(`http://127.0.0.1:${port}/list`, limits)
    expect(body.toString()).toBe('ours')
  })

  test.each([
    ['another port', (_: string, other: string) => `http://127.0.0.1:${other}/`],
    ['another name for it', (port: string) => `http://localhost:${port}/`],
    ['another address of it', (port: string) => `http://127.0.0.2:${port}/`],
    ['another address inside of IPv6', (port: string) => `http://[::ffff:127.0.0.1]:${port}/`],
    ['another protocol', (port: string) => `https://127.0.0.1:${port}/`],
    ['a name that leads there', (port: string) => `http://trap.test:${port}/`],
  ])('an operator’s own source opens only that door, and not %s', async (_, target) => {
    const other = await siteThat((_request, response) => response.end('secret'))
    const { port, asked } = await siteThat((request, response) => {
      const location = target(port, other.port)
      if (request.url === '/start') response.writeHead(302, { location }).end()
      else response.end('secret')
    })
    const guard = own(port, {
      ...strict(port, { 'trap.test': ['127.0.0.1'], localhost: ['127.0.0.1'] }),
      ports: ['', port, other.port],
    })
    const fetchPublic = createPublicFetch(guard)
    const refused = 'Not a public address'
    await expect(fetchPublic(target(port, other.port), limits)).rejects.toThrow(refused)
    await expect(fetchPublic(`http://127.0.0.1:${port}/start`, limits)).rejects.toThrow(refused)
    expect(asked).toEqual(['/start'])
    expect(other.asked).toEqual([])
  })

  test('an operator’s own source still can’t have a username or another scheme', async () => {
    for (const address of ['http://a:b@127.0.0.1:8080/', 'file:///etc/passwd'])
      await expect(createPublicFetch(own('8080'))(address, limits)).rejects.toThrow(
        'Not a public web address',
      )
  })
})

describe('a fetch', () => {
  const hanging = () => siteThat(() => {})

  test('a fetch ends at its time limit or when its caller is gone', async () => {
    const { port } = await hanging()
    const at = `http://public.test:${port}/`
    const fetchPublic = createPublicFetch(open(port))
    await expect(fetchPublic(at, { ...limits, ms: 50 })).rejects.toMatchObject({
      name: 'TimeoutError',
    })
    const gone = new AbortController()
    const fetching = fetchPublic(at, { ...limits, signal: gone.signal })
    gone.abort()
    await expect(fetching).rejects.toMatchObject({ name: 'AbortError' })
    await expect(fetchPublic(at, { ...limits, signal: gone.signal })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  test('a fetch asks before following, identifies itself, and returns the page’s own type', async () => {
    const seen: unknown[] = []
    const { port, asked } = await siteThat((request, response) => {
      seen.push(request.headers['user-agent'])
      if (request.url === '/no') response.writeHead(302, { location: '/secret' }).end()
      else response.setHeader('content-type', 'text/html; charset=x').end('hi')
    })
    const fetchPublic = createPublicFetch(open(port))
    const at = `http://public.test:${port}`
    const onRedirect = async (url: string) => {
      throw new Error(`Not to ${url}`)
    }
    await expect(fetchPublic(`${at}/no`, { ...limits, onRedirect })).rejects.toThrow(
      `Not to ${at}/secret`,
    )
    const page = await fetchPublic(`${at}/yes`, { ...limits, onRedirect, userAgent: 'Us/1' })
    expect(page.contentType).toBe('text/html; charset=x')
    expect([asked, seen]).toEqual([
      ['/no', '/yes'],
      [undefined, 'Us/1'],
    ])
  })

  test('a fetch of a page that’s cut within a character is still text', () => {
    const body = Buffer.from('Söhne ö').subarray(0, -1)
    expect(pageText({ body, contentType: 'text/html; charset=latin1' })).toBe('Söhne ')
  })
  test.each([
    ['declared as Latin-1, as browsers read it', 'text/html; charset=iso-8859-1'],
    ['without a charset', 'text/html'],
  ])('of a page %s keeps its quotation marks and euros', (_, contentType) => {
    const body = Buffer.from([0x57, 0x65, 0x92, 0x72, 0x65, 0x20, 0x80, 0x39])
    expect(pageText({ body, contentType })).toBe('We’re €9')
  })
})

import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type MailServer, parseMail, startMailServer } from '#tests/support/mail-server.ts'
import { createMailer, type Mailer } from './mail.server.ts'
import { mailOf, showsLogo } from './mail-layout.server.ts'

const FROM = 'Kettle, the site <no-reply@kettle.example>'
const LINK = 'https://kettle.example/auth/reset?token=a1&type=recovery'

let server: MailServer
let folder: string
let mailer: Mailer
beforeAll(async () => {
  server = await startMailServer()
})
afterAll(() => server.stop())
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kettle-mail-'))
  mailer = createMailer({ smtpUrl: server.url, from: FROM, outboxFolder: join(folder, 'outbox') })
})
afterEach(async () => {
  mailer.close()
  await rm(folder, { recursive: true })
})

const KETTLE = { siteName: 'Kettle & Co', siteUrl: () => 'https://kettle.example' }

const reset = mailOf(KETTLE, {
  subject: 'Choose a new password',
  heading: 'A new <password>?',
  paragraphs: ['Somebody asked for a new password for "dana".', 'The link holds for one hour.'],
  action: { label: 'Choose a password', href: LINK },
  note: "If it wasn't you, do nothing.",
})
const plain = { to: 'dana@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** A server that takes the connection and says one line, or nothing at all. */
async function rudeServer(greeting?: string) {
  const listener = createServer((socket) => {
    socket.on('error', () => {})
    if (greeting) socket.end(greeting)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const { port } = listener.address() as { port: number }
  return { url: `smtp://127.0.0.1:${port}`, stop: () => listener.close() }
}

test('a mail arrives with its subject, both its texts and its link', async () => {
  await mailer.send({ to: 'dana@example.com', ...reset })
  const mail = await server.next()
  expect(mail).toMatchObject({
    to: ['dana@example.com'],
    from: 'no-reply@kettle.example',
    fromName: 'Kettle, the site',
    subject: 'Choose a new password',
  })
  expect(mail.links).toEqual([LINK, 'https://kettle.example'])
  expect(mail.text).toContain(`Choose a password:\n${LINK}\n`)
  expect(mail.html).toContain('A new &lt;password&gt;?')
})

test('a mail’s headers name neither the machine nor the program', async () => {
  await mailer.send(plain)
  const { headers, raw } = await server.next()
  expect(headers['message-id']).toMatch(/^<[0-9a-f]{32}@kettle\.example>$/)
  expect(Object.keys(headers).sort()).toEqual(
    ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
  )
  expect(raw).not.toContain(hostname())
  expect(raw.toLowerCase()).not.toContain('nodemailer')
})

test('a subject with line breaks stays one header', async () => {
  await mailer.send({ ...plain, subject: 'Hi\r\nBcc: eve@example.com\r\n\r\nand a body' })
  const mail = await server.next()
  expect(mail.subject).toBe('Hi Bcc: eve@example.com and a body')
  expect(mail.headers.bcc).toBeUndefined()
  expect(mail.to).toEqual(['dana@example.com'])
})

test('a custom header arrives whole, however long, and stays one header', async () => {
  const link = `<https://kettle.example/unsubscribe?token=${'a1B_-'.repeat(40)}>`
  await mailer.send({
    ...plain,
    headers: { 'List-Unsubscribe': link, 'X-Note': 'Hi\r\nBcc: eve@example.com\r\n\r\nbody' },
  })
  const mail = await server.next()
  expect(mail.headers['list-unsubscribe']).toBe(link)
  expect(mail.headers['x-note']).toBe('Hi Bcc: eve@example.com body')
  expect(mail.headers.bcc).toBeUndefined()
  expect(mail.to).toEqual(['dana@example.com'])
  // Some programs don't unfold an address.
  expect(mail.raw).toContain(`List-Unsubscribe: ${link}\r\n`)
})

test.each([
  'dana@example.com\r\nBcc: eve@example.com',
  'dana@example.com, eve@example.com',
  'dana@example.com;eve@example.com',
  'Dana <dana@example.com>',
  'dana@example.com> <eve@example.com',
  '"dana@example.com" <eve@example.com>',
  'group: dana@example.com;',
  'dana',
  '',
])('a mail to %j isn’t sent, because that isn’t one address', async (to) => {
  const before = server.mails.length
  await expect(mailer.send({ ...plain, to })).rejects.toMatchObject({
    name: 'MailNotSent',
    code: 'EADDRESS',
    message: 'Couldn’t send the email',
  })
  expect(server.mails).toHaveLength(before)
})

test('letters beyond ASCII arrive unchanged', async () => {
  const words = 'Grüße, naïve façade – 茶 ☕'
  await mailer.send({
    to: 'jörg@example.com',
    subject: words,
    text: words,
    html: `<p>${words}</p>`,
  })
  const mail = await server.next()
  expect(mail.subject).toBe(words)
  expect(mail.text.trim()).toBe(words)
  expect(mail.html).toContain(words)
  expect(mail.to).toEqual(['jörg@example.com'])
})

test('a text that looks like a path stays a text', async () => {
  const path = join(folder, 'secret')
  await mailer.send({ ...plain, text: path, html: `<img src="file://${path}">` })
  expect((await server.next()).text.trim()).toBe(path)
})

test('a server that’s away or refuses is an error that names no one', async () => {
  const away = await startMailServer()
  await away.stop()
  const refusing = await rudeServer('554 no mail for dana@example.com from you\r\n')
  for (const smtpUrl of [away.url, refusing.url]) {
    const mailer = createMailer({ smtpUrl, from: FROM, outboxFolder: folder })
    const error = await mailer.send(plain).catch((error) => error)
    expect(error.name).toBe('MailNotSent')
    expect(error.code).toMatch(/^E[A-Z]+$/)
    expect(JSON.stringify(error) + error.message + error.stack).not.toContain('dana')
    expect(error.cause).toBeUndefined()
    mailer.close()
  }
  refusing.stop()
})

test('a mail’s Message-ID comes from its task, the same at each try', async () => {
  const own = { ...plain, id: 'a1B_-c2' }
  await mailer.send(own)
  await mailer.send(own)
  await mailer.send(plain)
  const ids = []
  for (let i = 0; i < 3; i++) ids.push((await server.next()).headers['message-id'])
  expect(ids.slice(0, 2)).toEqual(['<a1B_-c2@kettle.example>', '<a1B_-c2@kettle.example>'])
  expect(ids[2]).toMatch(/^<[0-9a-f]{32}@kettle\.example>$/)
})

describe('a server that does not take a mail', () => {
  let picky: MailServer
  beforeEach(async () => {
    picky = await startMailServer()
  })
  afterEach(() => picky.stop())

  async function failure(refusals: MailServer['refusals'], to = plain.to) {
    Object.assign(picky.refusals, refusals)
    const mailer = createMailer({ smtpUrl: picky.url, from: FROM, outboxFolder: folder })
    const error = await mailer.send({ ...plain, to }).catch((error) => error)
    mailer.close()
    return error
  }

  test.each([
    [{ sender: 550 }, 'refused-sender'],
    [{ recipient: 550 }, 'refused-address'],
    [{ recipient: 553 }, 'refused-address'],
    [{ message: 554 }, 'refused-message'],
  ])('the refusal %j is permanent', async (refusals, giveUp) => {
    const error = await failure(refusals)
    expect(error).toMatchObject({ name: 'MailNotSent', giveUp })
    expect(error.unsure).toBeUndefined()
    expect(JSON.stringify(error) + error.stack).not.toContain('dana')
  })

  test.each([
    { sender: 451 },
    { recipient: 450 },
    { message: 452 },
    // In the session. Someone corrects a setting, and the mail goes out.
    { sender: 530 },
    { sender: 535 },
    { message: 421 },
  ])('the refusal %j can be temporary', async (refusals) => {
    const error = await failure(refusals)
    expect(error.name).toBe('MailNotSent')
    expect(error.giveUp).toBeUndefined()
    expect(error.unsure).toBeUndefined()
  })

  test('an invalid address is a permanent failure', async () => {
    expect(await failure({}, 'dana')).toMatchObject({ giveUp: 'not-an-address' })
  })

  test('a connection lost after the whole mail leaves its delivery unknown, and it’s sent once', async () => {
    const error = await failure({ message: 'hang-up' })
    expect(error).toMatchObject({ name: 'MailNotSent', unsure: 'may-have-arrived' })
    expect(error.giveUp).toBeUndefined()
    // Longer than nodemailer waits before it sends again by itself.
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(picky.mails).toHaveLength(1)
  })

  test('a reused connection lost after the whole mail leaves its delivery unknown, too', async () => {
    const mailer = createMailer({ smtpUrl: picky.url, from: FROM, outboxFolder: folder })
    await mailer.send(plain)
    picky.refusals.message = 'hang-up'
    await expect(mailer.send(plain)).rejects.toMatchObject({ unsure: 'may-have-arrived' })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(picky.mails).toHaveLength(2)
    mailer.close()
  })

  test('a connection that ends before the mail leaves nothing unknown', async () => {
    const rude = await rudeServer('220 mail.kettle.example ESMTP\r\n')
    const mailer = createMailer({ smtpUrl: rude.url, from: FROM, outboxFolder: folder })
    const error = await mailer.send(plain).catch((error) => error)
    expect(error.name).toBe('MailNotSent')
    expect(error.unsure).toBeUndefined()
    mailer.close()
    rude.stop()
  })
})

test('a silent server is given up', async () => {
  const silent = await rudeServer()
  const mailer = createMailer({
    smtpUrl: silent.url,
    from: FROM,
    outboxFolder: folder,
    patienceMs: 300,
  })
  const began = Date.now()
  await expect(mailer.send(plain)).rejects.toMatchObject({ name: 'MailNotSent' })
  expect(Date.now() - began).toBeGreaterThan(200)
  mailer.close()
  silent.stop()
})

test('the mailer finds a restarted server again', async () => {
  const first = await startMailServer()
  const mailer = createMailer({ smtpUrl: first.url, from: FROM, outboxFolder: folder })
  await mailer.send(plain)
  await first.stop()
  await expect(mailer.send(plain)).rejects.toMatchObject({ name: 'MailNotSent' })
  const second = await startMailServer({ port: first.port })
  await mailer.send({ ...plain, subject: 'Back again' })
  expect(second.mails.map(({ subject }) => subject)).toEqual(['Back again'])
  mailer.close()
  await second.stop()
})

test('the mailer describes itself without a password', () => {
  const smtpUrl = 'smtps://user:secret@mail.kettle.example:465'
  const mailer = createMailer({ smtpUrl, from: FROM, outboxFolder: folder })
  expect(mailer.describe).toBe('smtps://mail.kettle.example:465')
  mailer.close()
})

test('an invalid sender is refused', () => {
  for (const from of ['Kettle', 'Kettle <kettle>', 'a@b.example, c@d.example', ''])
    expect(() => createMailer({ from, outboxFolder: folder })).toThrow('must have an email address')
})

test('mails become files that only their owner can read if there’s no server', async () => {
  const outboxFolder = join(folder, 'outbox')
  const mailer = createMailer({ from: FROM, outboxFolder })
  await mailer.send({ to: 'dana@example.com', ...reset })
  await mailer.send({ ...plain, subject: 'Second' })
  const names = (await readdir(outboxFolder)).sort()
  expect(names).toHaveLength(2)
  expect(names[0]).toMatch(/^choose-a-new-password-[0-9a-f]{8}\.eml$/)
  expect(names[1]).toMatch(/^second-[0-9a-f]{8}\.eml$/)
  const [first, second] = await Promise.all(
    names.map(async (name) => parseMail(await readFile(join(outboxFolder, name)))),
  )
  expect(first).toMatchObject({ to: ['dana@example.com'], subject: 'Choose a new password' })
  expect(first?.links[0]).toBe(LINK)
  expect(first?.raw).toContain('\r\n')
  expect(second?.subject).toBe('Second')
  expect((await stat(outboxFolder)).mode & 0o777).toBe(0o700)
  expect((await stat(join(outboxFolder, names[0] ?? ''))).mode & 0o777).toBe(0o600)
  expect(mailer.describe).toBe(`files in ${outboxFolder}`)
})

test('a mail in the outbox has its day, and goes a day after it', async () => {
  const outboxFolder = join(folder, 'swept')
  let now = new Date('2026-03-14T09:41:27.123Z')
  const mailer = createMailer({ from: FROM, outboxFolder, now: () => now })
  await mailer.send({ to: 'dana@example.com', ...reset })
  const [name = ''] = await readdir(outboxFolder)
  const path = join(outboxFolder, name)
  expect(await readFile(path, 'utf8')).toContain('Date: Sat, 14 Mar 2026 00:00:00 +0000')
  expect((await stat(path)).mtime).toEqual(new Date('2026-03-14T00:00:00Z'))

  now = new Date('2026-03-15T23:59:59Z')
  await mailer.sweep?.()
  expect((await stat(path)).mtime).toEqual(new Date('2026-03-14T00:00:00Z'))
  now = new Date('2026-03-16T00:00:01Z')
  await mailer.sweep?.()
  expect(await readdir(outboxFolder)).toEqual([])
})

test('a mail’s file doesn’t show when it was written once the outbox was swept', async () => {
  const outboxFolder = join(folder, 'touched')
  const mailer = createMailer({ from: FROM, outboxFolder, outboxDays: 0 })
  await mailer.send({ to: 'dana@example.com', ...reset })
  const [name = ''] = await readdir(outboxFolder)
  const written = (await stat(join(outboxFolder, name))).ctimeMs
  await mailer.sweep?.()
  expect((await stat(join(outboxFolder, name))).ctimeMs).toBeGreaterThan(written)
})

test('a mail’s HTML loads nothing and has its link in words, too', () => {
  expect(reset.html).not.toMatch(/<img|<script|<link|url\(|@import|src=/i)
  const shown = LINK.replaceAll('&', '&amp;')
  expect(reset.html).toContain(`href="${shown}"`)
  expect(reset.html).toContain(`>${shown}</a>`)
  expect(reset.html).toContain('Kettle &amp; Co')
  expect(reset.html).toContain('color-scheme')
  expect(reset.html).toContain('max-width:560px')
  // What lists of mails show after the subject.
  expect(reset.html).toMatch(/display:none[^>]*>Somebody asked for a new password/)
  expect(reset.text).toContain('A new <password>?')
})

test('the button has the site’s accent color, in a shade for each theme', () => {
  const mail = (accent?: string) =>
    mailOf(
      { ...KETTLE, accent },
      { subject: '', heading: '', paragraphs: [], action: { label: 'Go', href: LINK } },
    ).html
  expect(mail()).toMatch(/class="tea" style="background:#9a4d0c/)
  expect(mail('#ffdd00')).toMatch(/class="tea" style="background:#796807/)
  expect(mail('#ffdd00')).toContain('.tea { background: #ffdd00 !important; }')
  expect(mail('#ffdd00')).not.toContain('#9a4d0c')
})

test('a mail carries the site’s own logo, so it loads nothing, and names it if the name is in it', async () => {
  const logo = { path: '/brand/logo-0123456789abcdef.png', width: 480, height: 80, hasName: true }
  const mailWith = (it: typeof logo) =>
    mailOf({ ...KETTLE, logo: it }, { subject: 'Hello', heading: '', paragraphs: [] })
  const wide = mailWith(logo)
  expect(wide.html).toMatch(
    /<img [^>]*src="cid:logo" alt="Kettle &amp; Co" width="216" height="36"/,
  )
  expect(mailWith({ ...logo, width: 80, hasName: false }).html).toMatch(
    /alt="" [^>]*>&nbsp; Kettle &amp; Co/,
  )
  await mailer.send({ to: 'dana@example.com', ...wide, logo: Buffer.from('a picture') })
  const { raw } = await server.next()
  expect(raw).toContain('Content-ID: <logo>')
  expect(raw).toContain(Buffer.from('a picture').toString('base64'))
  expect(showsLogo(wide)).toBe(true)
  const spoofed = { subject: 'Hello', heading: ' src="cid:logo"', paragraphs: [] }
  expect(showsLogo(mailOf(KETTLE, spoofed))).toBe(false)
})

test('words can’t become markup, and a link can only be a web address', () => {
  const evil = '"><script>alert(1)</script>'
  const site = { ...KETTLE, siteName: evil }
  const mail = mailOf(site, {
    subject: evil,
    heading: evil,
    paragraphs: [evil],
    action: { label: evil, href: LINK },
    note: evil,
  })
  expect(mail.html).not.toContain('<script')
  for (const href of ['javascript:alert(1)', 'https://a.example/" onclick="x', '/relative'])
    expect(() =>
      mailOf(KETTLE, {
        subject: '',
        heading: '',
        paragraphs: [],
        action: { label: 'Go', href },
      }),
    ).toThrow('http or https URL')
})

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const { href } = new URL('../scripts/settings-file.mjs', import.meta.url)
const { settingsIn } = (await import(href)) as {
  settingsIn(bytes: Buffer): { settings: Record<string, string>; problem?: string }
}

const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync('package.json', 'utf8'),
)
/** Without those that run another program, and those that the built site answers. */
const commands = Object.entries(scripts)
  .filter(
    ([name]) => !/^(types|lint|check|admin|backup|counters|doctor|import|restore)$/.test(name),
  )
  .map(([name, line]) => [name, ...line.split(' ').slice(1)] as const)

const run = (...words: string[]) =>
  spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env.PATH } })

test.for(commands)('npm run %s explains itself, and runs nothing else', ([, ...line]) => {
  const help = run(...line, '--help')
  expect(help).toMatchObject({ status: 0, stderr: '' })
  expect(help.stdout).toMatch(/^npm [\s\S]*\n {2}--help[\s\S]*\nFor example: npm /m)
  expect(run(...line, '--no-such-option')).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringMatching(/^Unknown option '--no-such-option'\. npm .* lists what/),
  })
})

test.each(['walls', 'common-passwords'])('scripts/%s.mjs explains itself, too', (name) => {
  const script = `scripts/${name}.mjs`
  expect(run(script, '--help')).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(/^node scripts\/[\s\S]*\nFor example: node scripts\//),
  })
  expect(run(script, '--no-such-option')).toMatchObject({
    status: 2,
    stderr: `Unknown option '--no-such-option'. node ${script} --help lists what you can use.\n`,
  })
})

test('a number that isn’t whole, or is too small, gets a sentence', () => {
  for (const wrong of ['--times=0', '--times=1.5', '--seed=x'])
    expect(run('scripts/kill.mjs', wrong)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('must be a whole number'),
    })
})

const NOT_TEXT = '.env isn’t plain text. Save it as UTF-8.'
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')
test.each<[string, string | Buffer, Record<string, string> | string]>([
  ['from Windows', '\uFEFFHOST=::1 # here\r\nPORT=3001\r\n', { HOST: '::1', PORT: '3001' }],
  ['from an old Mac', 'HOST=::1\rPORT=3001\r', { HOST: '::1', PORT: '3001' }],
  ['in UTF-16', utf16('HOST=::1\r\n'), { HOST: '::1' }],
  ['in UTF-16, big-endian', utf16('HOST=::1\r\n').swap16(), { HOST: '::1' }],
  ['in UTF-16 without a mark', utf16('HOST=::1').subarray(2), NOT_TEXT],
  ['in Latin-1', Buffer.from('SITE_NAME=Café', 'latin1'), NOT_TEXT],
  ['for a shell', 'export  HOST=::1\n\texport PORT=3001', { HOST: '::1', PORT: '3001' }],
  ['with spaces', ' HOST = ::1 \n\u00a0PORT=\u00a03001', { HOST: '::1', PORT: '3001' }],
  ['with what no one sees', '\u200bHOST\u2060=\ufeff::1\u200b', { HOST: '::1' }],
  ['with a password in quotes', 'A="$HOME `#1\'"', { A: "$HOME `#1'" }],
  ['with other quotes', "A='\"' # c\nB=`'\"`", { A: '"', B: `'"` }],
  ['with quotes in the middle', 'A=Dana\'s "tea"', { A: `Dana's "tea"` }],
  ['with a list on several lines', 'A="[\r\n{}]"\nPORT=1', { A: '[\n{}]', PORT: '1' }],
  ['that names a setting twice', 'PORT=1\nPORT=2\nPORT=', { PORT: '2' }],
  ['with an empty value', 'A=\nB= # c\nC=""', { A: '', B: '', C: '' }],
  ['with notes', '# PORT=1\n  #x\n\n', {}],
  ['without =', '# c\nhush', 'Line 2 of .env isn’t NAME=value.'],
  ['with a colon', 'PORT: 3001', 'Line 1 of .env isn’t NAME=value.'],
  [
    'with # in a password',
    'A=hu#sh',
    'The setting A in .env contains a #. Put its value in quotes.',
  ],
  ['with one quote', 'A="hush\nB=1', 'The setting A in .env has no closing quote.'],
  [
    'with text after quotes',
    'A="hu"sh"',
    'The setting A in .env goes on after its closing quote. Use quotes that it doesn’t contain: \', " or `.',
  ],
])('a .env %s is read as it’s meant, or refused', (_, file, expected) => {
  const problem = typeof expected === 'string' ? expected : undefined
  const settings = typeof expected === 'string' ? {} : expected
  expect(settingsIn(Buffer.from(file))).toEqual({ settings, problem })
})

const inFolder = (work: (folder: string) => void) => {
  const folder = mkdtempSync(join(tmpdir(), 'kettle-env-'))
  try {
    work(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const load = (folder: string, env: Record<string, string> = {}) => {
  const { href } = new URL('../scripts/prepare.mjs', import.meta.url)
  const code = `import { loadSettings } from '${href}'; loadSettings(); console.log(JSON.stringify(process.env))`
  return spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    encoding: 'utf8',
    env,
  })
}

test('an empty variable hides nothing in .env, and any other does', () =>
  inFolder((folder) => {
    writeFileSync(join(folder, '.env'), 'HOST=::1\nPORT=3001\n')
    const { stdout } = load(folder, { HOST: '', PORT: '3002' })
    expect(JSON.parse(stdout)).toMatchObject({ HOST: '::1', PORT: '3002' })
  }))

test('a .env that can’t be used stops every command with a sentence', () =>
  inFolder((folder) => {
    const stopped = (sentence: string) => ({ status: 1, stdout: '', stderr: `${sentence}\n` })
    const path = join(folder, '.env')
    const unreadable = '.env isn’t a file that this user can read. chown it, or remove it.'
    symlinkSync(join(folder, 'gone'), path)
    expect(load(folder)).toMatchObject(stopped(unreadable))
    rmSync(path)
    mkdirSync(path)
    expect(load(folder)).toMatchObject(stopped(unreadable))
    rmSync(path, { recursive: true })
    writeFileSync(path, 'SECRET_KEY="hush')
    expect(load(folder)).toMatchObject(
      stopped('The setting SECRET_KEY in .env has no closing quote.'),
    )
  }))

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

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

test('a number that isn’t whole, or is too small, gets a sentence', () => {
  for (const wrong of ['--times=0', '--times=1.5', '--seed=x'])
    expect(run('scripts/kill.mjs', wrong)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('must be a whole number'),
    })
})

test('a .env file from Windows is read completely, and an empty variable doesn’t hide its value', () => {
  const folder = mkdtempSync(join(tmpdir(), 'kettle-env-'))
  try {
    writeFileSync(
      join(folder, '.env'),
      '\uFEFFSECRET_KEY="quoted $HOME #1"\r\nHOST=::1 # here\r\nPORT=3001\r\n',
    )
    const { href } = new URL('../scripts/prepare.mjs', import.meta.url)
    const code = `import { loadSettings } from '${href}'; loadSettings(); console.log(JSON.stringify(process.env))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      cwd: folder,
      encoding: 'utf8',
      env: { HOST: '', PORT: '3002' },
    })
    expect(JSON.parse(stdout)).toMatchObject({
      SECRET_KEY: 'quoted $HOME #1',
      HOST: '::1',
      PORT: '3002',
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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

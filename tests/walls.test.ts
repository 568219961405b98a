import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const planted: string[] = []

afterAll(() => {
  for (const folder of planted) rmSync(folder, { recursive: true })
})

/** A project in a temporary folder: path in app/ → what the file says. */
function plant(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'kettle-planted-'))
  planted.push(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'app', path)), { recursive: true })
    writeFileSync(join(folder, 'app', path), text)
  }
  return folder
}

function cruise(folder = '.') {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['scripts/walls.mjs', '--json', folder],
    { encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  const { modules, crossed } = JSON.parse(stdout) as {
    modules: string[]
    crossed: { wall: string; from: string; to: string }[]
  }
  return {
    status,
    modules,
    crossings: crossed.map(({ wall, from, to }) => ({
      wall,
      from: from.replaceAll('app/', ''),
      to: to.replaceAll('app/', '').replace(/.*\/(?=node_modules\/)/, ''),
    })),
  }
}

/** A small tree in which everything that is allowed happens. */
const goodTree = {
  'main.server.ts': `import './routes.ts'; import './server/http.server.ts'
    import './features/jobs/job-api.server.ts'`,
  'main.client.tsx': `import './routes.ts'; import './pages/root.tsx'`,
  'pages/root.tsx': `import '../routes.ts'; export const Root = () => <b>x</b>
    import '../features/jobs/job.screen.tsx'`,
  'commands/admin.server.ts': `import '../server/http.server.ts'
    import '../features/jobs/job-commands.server.ts'`,
  'routes.ts': `const screens = [() => import('./features/jobs/job.screen.tsx')]
    import type { Contract } from './features/jobs/job.contract.ts'`,
  'server/http.server.ts': '',
  'server/config.ts': '',
  'auth/actor.server.ts': `import '../server/http.server.ts'`,
  'api/contract.ts': '',
  'api/routes.server.ts': `import './contract.ts'; import '../auth/actor.server.ts'`,
  'ui/button.tsx': `import './icon.tsx'; export const Button = () => <button>x</button>`,
  'ui/icon.tsx': '',
  'features/jobs/job.ts': `import * as z from 'zod/mini'; import '../ratings/rating.ts'`,
  'features/jobs/job.contract.ts': `import { z } from 'zod'; import './job.ts'`,
  'features/jobs/job.test.ts': `import { z } from 'zod'; import '../../routes.ts'
    import '../ratings/rating-commands.server.ts'; import '../ratings/rating.contract.ts'`,
  'features/jobs/job-queries.server.ts': `import './job.ts'`,
  'features/jobs/job-commands.server.ts': `import './job-queries.server.ts'
    import '../ratings/rating-queries.server.ts'`,
  'features/jobs/job-api.server.ts': `import './job.contract.ts'
    import './job-commands.server.ts'; import '../../api/routes.server.ts'`,
  'features/jobs/job.screen.tsx': `import type { A } from './job.contract.ts'
    import type { B } from '../ratings/rating.contract.ts'; import './job.ts'
    import '../ratings/rating.ts'; import { Stars } from '../ratings/ui/stars.tsx'
    import { Button } from '../../ui/button.tsx'
    export const Screen = <T extends B>(props: { a: T }) => <Button><Stars /></Button>`,
  'features/ratings/rating.ts': '',
  'features/ratings/rating.contract.ts': `import './rating.ts'`,
  'features/ratings/rating-queries.server.ts': '',
  'features/ratings/rating-commands.server.ts': '',
  'features/ratings/ui/stars.tsx': '',
  'features/ratings/rating.screen.tsx': '',
}

test('what the walls allow passes', () => {
  const { status, modules, crossings } = cruise(plant(goodTree))
  expect(crossings).toEqual([])
  expect(modules).toHaveLength(Object.keys(goodTree).length)
  expect(status).toBe(0)
})

/** One more file in that tree: its path, what it says, and the crossings to be seen in it. */
const intruders: [path: string, text: string, seen: [wall: string, to: string][]][] = [
  [
    'server/mail.server.ts',
    `import '../auth/actor.server.ts'; import type { A } from '../api/contract.ts'
     import '../features/ratings/rating.ts'; import '../ui/icon.tsx'; import '../routes.ts'`,
    [
      ['server-knows-nobody-above', 'api/contract.ts'],
      ['server-knows-nobody-above', 'auth/actor.server.ts'],
      ['server-knows-nobody-above', 'features/ratings/rating.ts'],
      ['server-knows-nobody-above', 'routes.ts'],
      ['server-knows-nobody-above', 'ui/icon.tsx'],
    ],
  ],
  [
    'auth/tokens.server.ts',
    `import '../api/contract.ts'; import '../features/ratings/rating.ts'; import '../ui/icon.tsx'`,
    [
      ['auth-knows-only-server', 'api/contract.ts'],
      ['auth-knows-only-server', 'features/ratings/rating.ts'],
      ['auth-knows-only-server', 'ui/icon.tsx'],
    ],
  ],
  [
    'credential/proof.ts',
    `import '../ui/icon.tsx'; import '../features/ratings/rating.ts'; import '../server/config.ts'`,
    [
      ['credential-is-pure', 'features/ratings/rating.ts'],
      ['credential-is-pure', 'server/config.ts'],
      ['credential-is-pure', 'ui/icon.tsx'],
      ['credential-knows-only-server', 'features/ratings/rating.ts'],
      ['credential-knows-only-server', 'ui/icon.tsx'],
    ],
  ],
  [
    'credential/pool.server.ts',
    `import '../auth/actor.server.ts'; import '../server/config.ts'`,
    [['credential-knows-only-server', 'auth/actor.server.ts']],
  ],
  [
    'api/client.ts',
    `import '../features/ratings/rating.ts'; import '../ui/icon.tsx'`,
    [
      ['api-knows-only-those-below', 'features/ratings/rating.ts'],
      ['api-knows-only-those-below', 'ui/icon.tsx'],
    ],
  ],
  [
    'ui/dialog.tsx',
    `import '../features/ratings/rating.ts'; import '../server/config.ts'; import { z } from 'zod'`,
    [
      ['screens-do-without-zod', 'node_modules/zod/index.js'],
      ['ui-knows-nobody', 'features/ratings/rating.ts'],
      ['ui-knows-nobody', 'server/config.ts'],
    ],
  ],
  [
    'writing/markdown-editor.tsx',
    `import '../features/ratings/rating.ts'; import '../ui/icon.tsx'`,
    [['shared-rooms-know-no-feature', 'features/ratings/rating.ts']],
  ],
  [
    'features/jobs/looks-up.screen.tsx',
    `import type { A } from '../../main.client.tsx'; import '../../commands/admin.server.ts'`,
    [
      ['features-do-not-look-up', 'commands/admin.server.ts'],
      ['features-do-not-look-up', 'main.client.tsx'],
      ['no-server-code-in-the-browser', 'commands/admin.server.ts'],
    ],
  ],
  [
    'homeless.ts',
    `import './ui/icon.tsx'`,
    [['only-mains-and-pages-see-everything', 'ui/icon.tsx']],
  ],
  [
    'features/jobs/impure.ts',
    `import { useState } from 'react'; import { readFile } from 'node:fs'
     import type { A } from '../ratings/rating.contract.ts'; import '../../server/config.ts'
     import { z } from 'zod'`,
    [
      ['noun-is-pure', 'features/ratings/rating.contract.ts'],
      ['noun-is-pure', 'fs'],
      ['noun-is-pure', 'node_modules/react/index.js'],
      ['noun-is-pure', 'node_modules/zod/index.js'],
      ['noun-is-pure', 'server/config.ts'],
    ],
  ],
  [
    'features/jobs/borrows.screen.tsx',
    `import '../ratings/rating.screen.tsx'`,
    [['screens-share-little', 'features/ratings/rating.screen.tsx']],
  ],
  [
    'features/jobs/ui/borrows-later.tsx',
    `export const load = <T,>() => import('../../ratings/rating.screen.tsx')
     export const Card = () => <b>{'x'}</b>`,
    [['screens-share-little', 'features/ratings/rating.screen.tsx']],
  ],
  [
    'features/jobs/leaks.screen.tsx',
    `export const Screen = (a: import('./job-queries.server.ts').A) => <b>x</b>
     export * from './job-commands.server.ts'`,
    [
      ['no-server-code-in-the-browser', 'features/jobs/job-commands.server.ts'],
      ['no-server-code-in-the-browser', 'features/jobs/job-queries.server.ts'],
    ],
  ],
  [
    'features/jobs/heavy.screen.tsx',
    `import { type A } from './job.contract.ts'
     export const load = () => import('../ratings/rating.contract.ts')
     import { z } from 'zod'`,
    [
      ['contracts-reach-the-browser-as-types', 'features/jobs/job.contract.ts'],
      ['contracts-reach-the-browser-as-types', 'features/ratings/rating.contract.ts'],
      ['screens-do-without-zod', 'node_modules/zod/index.js'],
    ],
  ],
  [
    'features/ratings/looks-up.ts',
    `import '../following/follow.ts'; import type { A } from '../jobs/job.ts'`,
    [
      ['features-look-down', 'features/following/follow.ts'],
      ['features-look-down', 'features/jobs/job.ts'],
    ],
  ],
  ['features/following/follow.ts', '', []],
  [
    'features/jobs/homeless.ts',
    `import '../astrology/star.ts'`,
    [['features-have-a-floor', 'features/astrology/star.ts']],
  ],
  ['features/astrology/star.ts', '', []],
  ['features/ratings/egg.ts', `import type { A } from './hen.ts'`, []],
  [
    'features/ratings/hen.ts',
    `import './egg.ts'; import './gone.ts'`,
    [
      ['every-import-is-found', './gone.ts'],
      ['noun-is-pure', './gone.ts'],
    ],
  ],
  [
    'ui/garbled.tsx',
    'const a-b = <p>{1}</b>',
    [['every-file-is-read', expect.stringContaining('must be initialized')]],
  ],
  ['ui/utils/date.ts', '', [['names-say-something', '']]],
  ['features/jobs/index.ts', '', [['names-say-something', '']]],
  [
    'features/jobs/salary.contract.ts',
    'export const Salary = z.object({ id: z.uuid() })',
    [['ids-have-one-form', 'api/uuid.ts']],
  ],
  [
    'features/jobs/place.contract.ts',
    'export const Place = z\n  .string()\n  .uuid()',
    [['ids-have-one-form', 'api/uuid.ts']],
  ],
  [
    'features/jobs/sleepy.test.ts',
    ['await new Promise((resolve) => setTimeout(', 'resolve, 300))'].join(''),
    [['tests-wait-for-what-they-expect', 'a fixed time']],
  ],
  [
    'features/jobs/hasty.test.ts',
    ['await expect.poll(look, { time', 'out: 900 }).toBe(true)'].join(''),
    [['tests-wait-for-what-they-expect', 'a fixed time']],
  ],
]

describe('a wall stops', () => {
  let result: ReturnType<typeof cruise>

  beforeAll(() => {
    const texts = intruders.map(([path, text]) => [path, text])
    result = cruise(plant({ ...goodTree, ...Object.fromEntries(texts) }))
  })

  test.each(intruders)('%s', (path, _text, seen) => {
    const found = result.crossings
      .filter(({ wall, from }) => from === path && wall !== 'no-circles')
      .map(({ wall, to }) => [wall, to])
    expect(found.sort()).toEqual(seen)
  })

  test('a circle, even of types', () => {
    const circles = result.crossings.filter(({ wall }) => wall === 'no-circles')
    expect(circles).toHaveLength(1)
    expect(circles[0]?.to).toContain('hen.ts')
    expect(circles[0]?.to).toContain('egg.ts')
  })

  test('and nothing else', () => {
    const paths = intruders.map(([path]) => path)
    expect(result.crossings.filter(({ from }) => !paths.includes(from))).toEqual([])
    expect(result.status).toBe(1)
  })
})

test('what people wrote is cut between its letters, by cutText alone', () => {
  const cuts = (text: string) =>
    /\.substr(?:ing)?\(|\b(?:text|title|(?:user)?name|body|message|note|excerpt|description|subject|label|cell|city|word|search)\??(?:\.trim\(\))?\.slice\(0, ?[\d_A-Z]+\)/.test(
      text,
    )
  expect(['title.slice(0, 60)', 'name?.trim().slice(0, NAME_MAX)'].filter(cuts)).toHaveLength(2)
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?<!\.test)\.tsx?$/.test(path) && path !== 'writing/text.ts',
  )
  expect(files.filter((path) => cuts(readFileSync(join('app', path), 'utf8')))).toEqual([])
})

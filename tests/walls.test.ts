import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const planted: string[] = []

afterAll(() => {
  for (const folder of planted) rmSync(folder, { recursive: true })
})

/** A project in a temporary folder: path in app/ → the file's content. */
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
      from: from.replace(/^app\//, ''),
      to: to.replaceAll(/(?<![#\w])app\//g, '').replace(/.*\/(?=node_modules\/)/, ''),
    })),
  }
}

/** A small tree with everything that's allowed. */
const goodTree = {
  'main.server.ts': `import './routes.ts'; import './platform/http.server.ts'
    import '#app/jobs/feature.server.ts'`,
  'main.client.tsx': `import './routes.ts'; import './site/pages/root.tsx'`,
  'site/pages/root.tsx': `import '../../routes.ts'; export const Root = () => <b>x</b>
    import '#app/jobs/job.screen.tsx'`,
  'commands/admin.server.ts': `import '../platform/http.server.ts'
    import '../jobs/job-commands.server.ts'`,
  'routes.ts': `const screens = [() => import('./jobs/job.screen.tsx')]
    import type { Contract } from './jobs/job.contract.ts'`,
  'platform/http.server.ts': '',
  'platform/config.ts': '',
  'api/auth/actor.server.ts': `import '#app/platform/http.server.ts'`,
  'api/contract.ts': '',
  'api/routes.server.ts': `import './contract.ts'; import './auth/actor.server.ts'`,
  'kit/ui/button.tsx': `import './icon.tsx'; export const Button = () => <button>x</button>`,
  'kit/ui/icon.tsx': '',
  'jobs/job.ts': `import * as z from 'zod/mini'; import '../ratings/rating.ts'`,
  'jobs/job.contract.ts': `import { z } from 'zod'; import './job.ts'`,
  'jobs/job.test.ts': `import { z } from 'zod'; import '../routes.ts'
    import '../ratings/rating-commands.server.ts'; import '../ratings/rating.contract.ts'`,
  'jobs/job-queries.server.ts': `import './job.ts'`,
  'jobs/job-commands.server.ts': `import './job-queries.server.ts'
    import '../ratings/rating-queries.server.ts'`,
  'jobs/feature.server.ts': `import './job.contract.ts'
    import './job-commands.server.ts'; import '../api/routes.server.ts'`,
  'jobs/job.screen.tsx': `import type { A } from './job.contract.ts'
    import type { B } from '../ratings/rating.contract.ts'; import './job.ts'
    import '../ratings/rating.ts'; import { Stars } from '#app/ratings/ui/stars.tsx'
    import { Button } from '../kit/ui/button.tsx'
    export const Screen = <T extends B>(props: { a: T }) => <Button><Stars /></Button>`,
  'ratings/rating.ts': '',
  'ratings/rating.contract.ts': `import './rating.ts'`,
  'ratings/rating-queries.server.ts': '',
  'ratings/rating-commands.server.ts': '',
  'ratings/ui/stars.tsx': '',
  'ratings/rating.screen.tsx': '',
}

test('allowed code passes the walls', () => {
  const { status, modules, crossings } = cruise(plant(goodTree))
  expect(crossings).toEqual([])
  expect(modules).toHaveLength(Object.keys(goodTree).length)
  expect(status).toBe(0)
})

/** One more file in that tree: its path, its content, and the crossings to find in it. */
const intruders: [path: string, text: string, seen: [wall: string, to: string][]][] = [
  [
    'platform/mail.server.ts',
    `import '#app/api/auth/actor.server.ts'; import type { A } from '../api/contract.ts'
     import '../ratings/rating.ts'; import '../kit/ui/icon.tsx'; import '../routes.ts'`,
    [
      ['nobody-sees-the-mains', 'routes.ts'],
      ['rooms-look-down', 'api/auth/actor.server.ts'],
      ['rooms-look-down', 'api/contract.ts'],
      ['rooms-look-down', 'kit/ui/icon.tsx'],
      ['rooms-look-down', 'ratings/rating.ts'],
    ],
  ],
  [
    'api/credential/proof.ts',
    `import '#app/kit/ui/icon.tsx'; import '../contract.ts'; import '#app/platform/config.ts'`,
    [
      ['credential-is-pure', 'api/contract.ts'],
      ['credential-is-pure', 'kit/ui/icon.tsx'],
      ['credential-is-pure', 'platform/config.ts'],
      ['credential-knows-only-the-platform', 'api/contract.ts'],
      ['credential-knows-only-the-platform', 'kit/ui/icon.tsx'],
      ['rooms-look-down', 'kit/ui/icon.tsx'],
    ],
  ],
  [
    'api/credential/pool.server.ts',
    `import '../auth/actor.server.ts'; import '#app/platform/config.ts'`,
    [['credential-knows-only-the-platform', 'api/auth/actor.server.ts']],
  ],
  [
    'kit/ui/dialog.tsx',
    `import '#app/ratings/rating.ts'; import '#app/platform/config.ts'; import { z } from 'zod'`,
    [
      ['rooms-look-down', 'ratings/rating.ts'],
      ['screens-do-without-zod', 'node_modules/zod/index.js'],
      ['ui-knows-nobody', 'platform/config.ts'],
      ['ui-knows-nobody', 'ratings/rating.ts'],
    ],
  ],
  [
    'kit/writing/markdown-editor.tsx',
    `import '#app/ratings/rating.ts'; import '../ui/icon.tsx'`,
    [['rooms-look-down', 'ratings/rating.ts']],
  ],
  [
    'jobs/looks-up.screen.tsx',
    `import type { A } from '../main.client.tsx'; import '../commands/admin.server.ts'`,
    [
      ['no-server-code-in-the-browser', 'commands/admin.server.ts'],
      ['nobody-sees-the-mains', 'commands/admin.server.ts'],
      ['nobody-sees-the-mains', 'main.client.tsx'],
    ],
  ],
  ['homeless.ts', `import './kit/ui/icon.tsx'`, [['only-mains-see-everything', 'kit/ui/icon.tsx']]],
  [
    'jobs/impure.ts',
    `import { useState } from 'react'; import { readFile } from 'node:fs'
     import type { A } from '../ratings/rating.contract.ts'; import '../platform/config.ts'
     import { z } from 'zod'`,
    [
      ['noun-is-pure', 'fs'],
      ['noun-is-pure', 'node_modules/react/index.js'],
      ['noun-is-pure', 'node_modules/zod/index.js'],
      ['noun-is-pure', 'platform/config.ts'],
      ['noun-is-pure', 'ratings/rating.contract.ts'],
    ],
  ],
  [
    'jobs/search/impure-below.ts',
    `import './ui/x.tsx'`,
    [['noun-is-pure', 'jobs/search/ui/x.tsx']],
  ],
  ['jobs/search/ui/x.tsx', '', []],
  [
    'jobs/borrows.screen.tsx',
    `import '../ratings/rating.screen.tsx'`,
    [['screens-share-little', 'ratings/rating.screen.tsx']],
  ],
  [
    'jobs/ui/borrows-later.tsx',
    `export const load = <T,>() => import('#app/ratings/rating.screen.tsx')
     export const Card = () => <b>{'x'}</b>`,
    [['screens-share-little', 'ratings/rating.screen.tsx']],
  ],
  [
    'jobs/leaks.screen.tsx',
    `export const Screen = (a: import('./job-queries.server.ts').A) => <b>x</b>
     export * from './job-commands.server.ts'`,
    [
      ['no-server-code-in-the-browser', 'jobs/job-commands.server.ts'],
      ['no-server-code-in-the-browser', 'jobs/job-queries.server.ts'],
    ],
  ],
  [
    'jobs/heavy.screen.tsx',
    `import { type A } from './job.contract.ts'
     export const load = () => import('../ratings/rating.contract.ts')
     import { z } from 'zod'`,
    [
      ['contracts-reach-the-browser-as-types', 'jobs/job.contract.ts'],
      ['contracts-reach-the-browser-as-types', 'ratings/rating.contract.ts'],
      ['screens-do-without-zod', 'node_modules/zod/index.js'],
    ],
  ],
  [
    'ratings/looks-up.ts',
    `import type { A } from '../jobs/job.ts'`,
    [['rooms-look-down', 'jobs/job.ts']],
  ],
  [
    'jobs/homeless.ts',
    `import '../astrology/star.ts'`,
    [
      ['every-room-has-a-floor', 'astrology/star.ts'],
      ['noun-is-pure', 'astrology/star.ts'],
    ],
  ],
  ['astrology/star.ts', '', []],
  ['ratings/egg.ts', `import type { A } from './hen.ts'`, []],
  [
    'ratings/hen.ts',
    `import './egg.ts'; import './gone.ts'; import '#app/ratings/gone.ts'`,
    [
      ['every-import-is-found', '#app/ratings/gone.ts'],
      ['every-import-is-found', './gone.ts'],
      ['noun-is-pure', '#app/ratings/gone.ts'],
      ['noun-is-pure', './gone.ts'],
    ],
  ],
  [
    'kit/ui/garbled.tsx',
    'const a-b = <p>{1}</b>',
    [['every-file-is-read', expect.stringContaining('must be initialized')]],
  ],
  ['kit/ui/utils/date.ts', '', [['names-say-something', '']]],
  ['jobs/index.ts', '', [['names-say-something', '']]],
  [
    'jobs/retired.ts',
    `export const ask${'Again'} = () => {}`,
    [['names-are-the-fields-own', `ask${'Again'}`]],
  ],
  ['jobs/told.ts', '// As the doorman says.', [['names-are-the-fields-own', 'doorman']]],
  [
    'jobs/salary.contract.ts',
    'export const Salary = z.object({ id: z.uuid() })',
    [['ids-have-one-form', 'api/schemas.ts']],
  ],
  [
    'jobs/place.contract.ts',
    'export const Place = z\n  .string()\n  .uuid()',
    [['ids-have-one-form', 'api/schemas.ts']],
  ],
  [
    'jobs/applying.contract.ts',
    'export const Applying = z.object({ name: z.string().trim().max(60) })',
    [['texts-have-two-forms', 'api/schemas.ts']],
  ],
  [
    'jobs/refusing.server.ts',
    "export const full = (n: number) => conflict(\n  n > 1 ? 'All places are taken' : 'It is',\n)",
    [['refusals-stand-in-their-noun', '']],
  ],
  [
    'jobs/refusing.contract.ts',
    "export const policy = { refusal: { forbidden: 'Only an owner can' } }",
    [['refusals-stand-in-their-noun', '']],
  ],
  [
    'jobs/place-queries.server.ts',
    'export const take = (db: Db) => db.query(sql`\n  update places set taken = true`)',
    [['queries-only-read', '']],
  ],
  ['jobs/wordy.ts', `/**\n * ${'word '.repeat(25)}\n */`, [['comments-fit-in-125-columns', '']]],
  [
    'jobs/sleepy.test.ts',
    ['await new Promise((resolve) => setTimeout(', 'resolve, 300))'].join(''),
    [['tests-wait-for-what-they-expect', 'a fixed time']],
  ],
  [
    'jobs/napping.test.ts',
    ["import { setTimeout as pause } from 'node:timers/", "promises'\nawait pause(300)"].join(''),
    [['tests-wait-for-what-they-expect', 'a fixed time']],
  ],
  [
    'jobs/hasty.test.ts',
    ['await expect.poll(look, { time', 'out: 900 }).toBe(true)'].join(''),
    [['tests-wait-for-what-they-expect', 'a fixed time']],
  ],
]

describe('walls', () => {
  let result: ReturnType<typeof cruise>

  beforeAll(() => {
    const texts = intruders.map(([path, text]) => [path, text])
    result = cruise(plant({ ...goodTree, ...Object.fromEntries(texts) }))
  })

  test.each(intruders)('a wall stops %s', (path, _text, seen) => {
    const found = result.crossings
      .filter(({ wall, from }) => from === path && wall !== 'no-circles')
      .map(({ wall, to }) => [wall, to])
    expect(found.sort()).toEqual(seen)
  })

  test('a wall stops a circle, even of types', () => {
    const circles = result.crossings.filter(({ wall }) => wall === 'no-circles')
    expect(circles).toHaveLength(1)
    expect(circles[0]?.to).toContain('hen.ts')
    expect(circles[0]?.to).toContain('egg.ts')
  })

  test('the walls stop nothing else', () => {
    const paths = intruders.map(([path]) => path)
    expect(result.crossings.filter(({ from }) => !paths.includes(from))).toEqual([])
    expect(result.status).toBe(1)
  })
})

test('only cutText cuts people’s text, and always between characters', () => {
  const cuts = (text: string) =>
    /\.substr(?:ing)?\(|\b(?:text|title|(?:user)?name|body|message|note|excerpt|description|subject|label|cell|city|word|search)\??(?:\.trim\(\))?\.slice\(0, ?[\d_A-Z]+\)/.test(
      text,
    )
  expect(['title.slice(0, 60)', 'name?.trim().slice(0, NAME_MAX)'].filter(cuts)).toHaveLength(2)
  const files = readdirSync('app', { recursive: true, encoding: 'utf8' }).filter(
    (path) => /(?<!\.test)\.tsx?$/.test(path) && path !== 'kit/writing/text.ts',
  )
  expect(files.filter((path) => cuts(readFileSync(join('app', path), 'utf8')))).toEqual([])
})

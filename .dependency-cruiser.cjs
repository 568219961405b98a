// Which rooms may import which. Check with `node scripts/walls.mjs`, which gives dependency-cruiser the imports
// of every file, with `typeOnly()` for `import type`.

const test = '\\.(test|proof|fixture)\\.tsx?$'
const server = '\\.server\\.tsx?$'
const contract = '\\.contract\\.ts$'
/** The rooms from low to high. A room may only import rooms listed before it. */
const rooms = [
  'platform',
  'api',
  'kit',
  'identity',
  'companies',
  'community',
  'ratings',
  'jobs',
  'moderation',
  'office',
  'site',
]
/** The rooms about the site's own subjects. */
const domain = rooms.slice(3).join('|')
/**
 * companies/company.ts or companies/merging/merging.ts: no second word in its name, and not of ui/; and the rules
 * for what people write, press and read as a date.
 */
const noun = [
  `^app/(${domain})/[^/.]+\\.ts$`,
  `^app/(?!site/pages/)(${domain})/(?!ui/)[^/]+/[^/.]+\\.ts$`,
  `^app/(${domain})/(?!ui/)[^/]+/(?!ui/)[^/]+/[^/.]+\\.ts$`,
  '^app/kit/(consent|spam-check|updates)/[^/.]+\\.ts$',
  '^app/kit/(writing/(countries|currencies|text)|ui/(format|list-keys))\\.ts$',
]
/** Files through which screens get a room's answers. */
const data = '\\.data\\.ts$'
const screen = [`^app/(${domain})/.*\\.(screen|tab)\\.tsx$`, `^app/(${domain})/(ui|.*/ui)/`]
/** A room's components. */
const shown = screen[1]
const zod = '(^|/)node_modules/zod/|^zod(/|$)'
const zodMini = '(^|/)node_modules/zod/mini/|^zod/mini$'
/** A table of the domain endings people can register under, with a function that reads it. */
const tldts = '(^|/)node_modules/tldts/|^tldts$'

const lookingDown = rooms.slice(0, -1).map((room, at) => ({
  name: 'rooms-look-down',
  comment: 'What must go the other way is an event, or composed by a room above both.',
  severity: 'error',
  from: { path: `^app/${room}/`, pathNot: test },
  to: { path: `^app/(${rooms.slice(at + 1).join('|')})/` },
}))

module.exports = {
  forbidden: [
    ...lookingDown,
    {
      name: 'every-room-has-a-floor',
      comment: 'A new room stands in the list.',
      severity: 'error',
      from: {},
      to: { path: `^app/(?!(${rooms.join('|')}|commands)/)[^/]+/` },
    },
    {
      name: 'ui-knows-nobody',
      comment: 'The design system imports nobody of ours.',
      severity: 'error',
      from: { path: '^app/kit/ui/', pathNot: test },
      to: { path: '^app/(?!kit/ui/)' },
    },
    {
      name: 'credential-is-pure',
      comment:
        'Its proofs run in the browser and on the server; only its *.server.ts knows the platform.',
      severity: 'error',
      from: { path: '^app/api/credential/', pathNot: [server, test] },
      to: { path: '^(app|db)/', pathNot: '^app/api/credential/' },
    },
    {
      name: 'credential-knows-only-the-platform',
      comment: 'Whoever checks it reads this folder alone.',
      severity: 'error',
      from: { path: '^app/api/credential/', pathNot: test },
      to: { path: '^app/(?!(platform|api/credential)/)' },
    },
    {
      name: 'nobody-sees-the-mains',
      comment: 'Only the mains, the commands, routes.ts and site/pages/ see everything.',
      severity: 'error',
      from: { path: `^app/(${rooms.join('|')})/`, pathNot: ['^app/site/pages/', test] },
      to: { path: '^app/([^/]+$|(commands|site/pages)/)' },
    },
    {
      name: 'only-mains-see-everything',
      comment: 'A file directly in app/ is a main, or routes.ts; everything else has a room.',
      severity: 'error',
      from: { path: '^app/[^/]+$', pathNot: ['^app/main\\.', '^app/routes\\.ts$', test] },
      to: { path: '^app/' },
    },
    {
      name: 'noun-is-pure',
      comment:
        'A noun imports zod/mini, tldts, how ids, numbers, colors, addresses and settings are written and other nouns: it is true everywhere.',
      severity: 'error',
      from: { path: noun },
      to: {
        pathNot: [
          zodMini,
          tldts,
          '^app/(kit/ui/format|platform/accent|platform/mail/address|platform/operations/live-settings|platform/uuid)\\.ts$',
          ...noun,
        ],
      },
    },
    {
      name: 'screens-share-little',
      comment: "Of another room a screen uses the noun, the contract's types, its data and ui/.",
      severity: 'error',
      from: { path: screen, pathNot: test },
      to: {
        path: `^app/(${domain})/`,
        pathNot: ['^app/$1/', ...noun, contract, data, shown],
      },
    },
    {
      name: 'no-server-code-in-the-browser',
      comment: 'Not even as a type: what both sides know is a noun or a contract.',
      severity: 'error',
      from: { path: '^app/', pathNot: [server, test] },
      to: { path: server },
    },
    {
      name: 'contracts-reach-the-browser-as-types',
      comment: 'Write `import type`: a contract is zod throughout, which weighs 22 kB there.',
      severity: 'error',
      from: { path: '^app/', pathNot: [server, contract, test] },
      to: { path: contract, dependencyTypesNot: ['exotic-require'] },
    },
    {
      name: 'screens-do-without-zod',
      comment: 'A form looks through the schema of its noun, and `fieldErrors` of forms/.',
      severity: 'error',
      from: { path: ['^app/kit/ui/', ...screen], pathNot: [server, test] },
      to: { path: zod, dependencyTypesNot: ['exotic-require'] },
    },
    {
      name: 'no-circles',
      comment: 'Two files that need each other are one thought, or a third one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every-import-is-found',
      comment: 'What cannot be followed would pass every other wall unseen.',
      severity: 'error',
      // We don't follow imports outside app/, where the tests' support is.
      from: { path: '^app/', pathNot: test },
      to: { path: '^(\\.|#)', couldNotResolve: true },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^db'] },
    exoticRequireStrings: ['typeOnly'],
    moduleSystems: ['es6', 'cjs'],
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'default'],
    },
  },
}

// The walls between the rooms: who may import whom. Run them with `node scripts/walls.mjs`, which
// hands dependency-cruiser the imports of every file; `typeOnly()` stands for `import type`.

const test = '\\.(test|proof)\\.tsx?$'
const server = '\\.server\\.tsx?$'
const contract = '\\.contract\\.ts$'
/**
 * features/companies/company.ts or features/companies/logos/company-logo.ts: no second word in its
 * name, and not of ui/; and the rules for what people write, press and read as a date.
 */
const noun = [
  '^app/features/[^/]+/[^/.]+\\.ts$',
  '^app/features/[^/]+/(?!ui/)[^/]+/[^/.]+\\.ts$',
  '^app/(writing/(countries|text)|ui/(date-text|key-press))\\.ts$',
]
/** How screens ask for a feature's answers. */
const data = '\\.data\\.ts$'
const screen = [
  '^app/features/([^/]+)/[^/]+\\.(screen|tab)\\.tsx$',
  '^app/features/([^/]+)/ui/',
  '^app/features/([^/]+)/[^/]+/ui/',
]
/** What a feature shows, in its own ui/ or in that of one of its rooms. */
const shown = ['^app/features/[^/]+/ui/', '^app/features/[^/]+/[^/]+/ui/']
const zod = '(^|/)node_modules/zod/|^zod(/|$)'
const zodMini = '(^|/)node_modules/zod/mini/|^zod/mini$'
/** Which part of a name somebody can register: a table and a function over it. */
const tldts = '(^|/)node_modules/tldts/|^tldts$'

/** The features from low to high. One knows those before its own line, and none beside it. */
const floors = [
  ['consent', 'spam-check', 'updates', 'tracking'],
  ['accounts'],
  ['credentials'],
  ['companies'],
  ['badges', 'claims', 'importing', 'reports'],
  ['replies'],
  ['discussions', 'following', 'ratings'],
  ['contact', 'jobs', 'requests', 'rooms'],
  ['moderation'],
  ['notifications'],
  ['dashboard', 'scraping'],
  ['administration', 'findability'],
  ['account-pages', 'company-page'],
  ['home', 'site'],
]
const known = floors.flat().join('|')

const lookingDown = floors.map((floor, at) => ({
  name: 'features-look-down',
  comment: 'What must go the other way is an event, or composed by a feature above both.',
  severity: 'error',
  from: { path: `^app/features/(${floor.join('|')})/`, pathNot: test },
  to: {
    path: `^app/features/(${floors.slice(at).flat().join('|')})/`,
    pathNot: '^app/features/$1/',
  },
}))

module.exports = {
  forbidden: [
    ...lookingDown,
    {
      name: 'features-have-a-floor',
      comment: 'A new feature stands in the list of floors.',
      severity: 'error',
      from: {},
      to: { path: `^app/features/(?!(${known})/)[^/]+/` },
    },
    {
      name: 'server-knows-nobody-above',
      comment: 'server ← auth ← api ← features',
      severity: 'error',
      from: { path: '^app/server/', pathNot: test },
      to: { path: '^app/(?!server/)' },
    },
    {
      name: 'auth-knows-only-server',
      comment: 'server ← auth ← api ← features',
      severity: 'error',
      from: { path: '^app/auth/', pathNot: test },
      to: { path: '^app/(?!(server|auth)/)' },
    },
    {
      name: 'api-knows-only-those-below',
      comment: 'server ← auth, credential ← api ← features',
      severity: 'error',
      from: { path: '^app/api/', pathNot: test },
      to: { path: '^app/(?!(server|auth|credential|api)/)' },
    },
    {
      name: 'ui-knows-nobody',
      comment: 'The design system imports nobody of ours.',
      severity: 'error',
      from: { path: '^app/ui/', pathNot: test },
      to: { path: '^app/(?!ui/)' },
    },
    {
      name: 'credential-is-pure',
      comment:
        'Its proofs run in the browser and on the server; only its *.server.ts knows the server.',
      severity: 'error',
      from: { path: '^app/credential/', pathNot: [server, test] },
      to: { path: '^(app|db)/', pathNot: '^app/credential/' },
    },
    {
      name: 'credential-knows-only-server',
      comment: 'server ← credential ← features',
      severity: 'error',
      from: { path: '^app/credential/', pathNot: test },
      to: { path: '^app/(?!(server|credential)/)' },
    },
    {
      name: 'shared-rooms-know-no-feature',
      comment: 'What features share stands below them: the session, forms, writing.',
      severity: 'error',
      from: { path: '^app/(session|forms|writing)/', pathNot: test },
      to: { path: '^app/(features|commands|pages)/', dependencyTypesNot: ['exotic-require'] },
    },
    {
      name: 'features-do-not-look-up',
      comment:
        'Only the mains, the commands, routes.ts and pages/ see everything; nobody below sees them.',
      severity: 'error',
      from: { path: '^app/features/', pathNot: test },
      to: { path: '^app/([^/]+$|(commands|pages)/)' },
    },
    {
      name: 'only-mains-and-pages-see-everything',
      comment: 'A file directly in app/ is a main, or routes.ts; everything else has a room.',
      severity: 'error',
      from: { path: '^app/[^/]+$', pathNot: ['^app/main\\.', '^app/routes\\.ts$', test] },
      to: { path: '^app/' },
    },
    {
      name: 'noun-is-pure',
      comment:
        'A noun imports zod/mini, tldts, how numbers are written and other nouns, so that it is true everywhere.',
      severity: 'error',
      from: { path: noun },
      to: { pathNot: [zodMini, tldts, '^app/ui/number\\.ts$', ...noun] },
    },
    {
      name: 'screens-share-little',
      comment: "Of another feature a screen uses the noun, the contract's types, its data and ui/.",
      severity: 'error',
      from: { path: screen, pathNot: test },
      to: {
        path: '^app/features/',
        pathNot: ['^app/features/$1/', ...noun, contract, data, ...shown],
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
      from: { path: ['^app/ui/', ...screen], pathNot: [server, test] },
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
      // The tests' own support stands outside of app/, where nothing is followed.
      from: { path: '^app/', pathNot: test },
      to: { path: '^\\.', couldNotResolve: true },
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

// Checks the walls between rooms.
//
// dependency-cruiser reads TypeScript through TypeScript's JS API, which TypeScript 7 doesn't have. Its swc reader fails on
// JSX and doesn't recognize `import type`. So it gets a skeleton of app/: the same files with only their imports, as swc
// finds them, and type imports as `typeOnly('…')`.

import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { parseSync } from '@swc/core'
import { cruise } from 'dependency-cruiser'
import walls from '../.dependency-cruiser.cjs'
import { readCommand } from './command.mjs'
import { root } from './prepare.mjs'

const {
  json,
  picture: isDrawing,
  words,
} = readCommand({
  name: 'walls.mjs',
  does: 'Checks that no room imports what it mustn’t. FOLDER contains app/, and is this project by default.',
  options: {
    json: { says: 'prints what it found as JSON' },
    picture: { says: 'draws which room imports which, for docs/architecture.md' },
  },
  words: '[FOLDER]',
  example: 'node scripts/walls.mjs --picture',
})
const project = resolve(words[0] ?? root)

/** Names that fit everything, so they say nothing. */
const SAYS_NOTHING = /(^|\/)(utils|lib|helpers|services|managers)\/|(^|\/)index\.tsx?$/

/**
 * Our own names for things that the field has a word for, and what to write instead. Comments mustn't use them either.
 * Refused because habits and old branches bring them back. Case doesn't matter. `*` stands for any letters, `+` for at least
 * one.
 */
const RETIRED = {
  takeTurn: 'lock…',
  insistently: 'retryWhileLocked',
  isApart: 'mustBeAnonymous, isAnonymous',
  'proveWork provedAt': 'solveSpamCheck, authenticatedAt',
  'NewsContext NewsFor NewsSettings newsKey newsKeys writeNews': '…Notification…',
  'buttonLook linkLook controlLook': '…Classes',
  doorman: 'startupServer',
  openDoor: 'startupServer',
  'keptPage kept-page': 'cachedPage',
  sendKept: 'sendCached',
  'processTalk process-talk': 'workerChannel',
  'vitalSigns vital-signs': 'health',
  'steadyClock steady-clock': 'a monotonic clock',
  'askAgain lookAgain*': 'invalidate, refetch',
  startAnew: 'startOver',
  beginAnew: 'replace…',
  showAnew: 'invalidate…',
  'scoresAnew monthsAnew': 'all…',
  'count*Anew': 'recount',
  sealAnew: 'reseal',
  'toldTo*': 'answerFor, …Tags',
  'tellOf*': 'notify…, write…Notifications',
  whoIsKept: 'storedSession',
  givenToLiving: 'withCurrentCompany',
  nobodysThread: 'emptyMyThread',
  nobodyToSuspend: 'noAuthorToSuspend',
  watchNoLonger: 'unwatch',
  holdCompany: 'lockCompany',
  'KeptBadge kept-badges': 'StoredBadge, NewBadge',
  KeptJob: 'LockedJob',
  KeptOrder: 'CachedOrder',
  KeptSubscriber: 'SubscriberRow',
  keptIn: 'storedIn',
  keptFile: 'storedFile',
  keptFor: 'cachedFor',
  'kept-company keepWhatStays': 'merge-snapshot, takeSnapshot',
  'kept-secret': 'secret-backup',
  'kept-threads': 'saved-threads',
  'forgetKept*': 'forgetSaved…',
  useKeptText: 'useStoredText',
  NOTHING_HELD: 'NOT_ON_SERVER',
  'askHeld keepHeld removeHeld sendHeld setHeld': '…ByKey, …ByKeys, …ServerRating',
  whileHeld: 'whileLeased',
  'heldRating heldRatings heldTags heldNote heldNotes': '…ByKey, …ByKeys, ModeratedNote',
  'HeldRequest HeldAnswer': 'RatingRequest',
  'holdsRating holdsRoomPost': 'is…OfKey, is…OfKeys',
  'demand+': 'require…',
  needsProof: 'needsSpamCheck',
  spamCheckTriesMax: 'proofOfWork',
  'requireShown requireShownThread lockShownThread': '…Visible…',
  requireOpen: 'requireStillVisible',
  'isToAsk askLater': 'isToCheck, checkLater',
  handleTogether: 'handleBatch',
  'policyColumn factColumns officeDaysColumn': '…Of(alias)',
  stoppingOf: 'shutdownOf',
  yesOrNo: 'onOrOff',
  'neighbour neighbours': 'neighbor, neighbors',
  'RowHere hereRows freshRows leftOuts': 'ExistingRow, existingRows, newRows, omittedCells',
  mayName: 'waitUntilLinkable',
  duePeople: 'dueRatingIds',
  'settleClaim settleDemo+': 'setClaimStatus, addDemoClaim, seedDemoPeople',
  'GivenRequest GivenResponse changeGiven': '…Submission…',
  'visitor_score VisitorLimits': 'untrusted…',
}
const USES_RETIRED = new RegExp(
  String.raw`\b(?:${Object.keys(RETIRED)
    .join(' ')
    .replaceAll(' ', '|')
    .replaceAll('*', String.raw`\w*`)
    .replaceAll('+', String.raw`[a-z]\w*`)})\b`,
  'i',
)

/** PostgreSQL accepts several spellings of an ID, and so does `z.uuid()`. `Uuid` accepts one. */
const READS_IDS = /\.\s*(uuid(v[4-8])?|guid)\(/
const SCHEMAS = 'app/api/schemas.ts'

/** `LookupText` and `WrittenText` count as the database does, and `LookupText` refuses texts it can't store. */
const BOUNDS_TEXTS = /\bz\s*\.string\(\)[\s\w.()]*\.max\(/

/** A refusal's sentence belongs in its noun's `…_REFUSALS`, where others find it. */
const SAYS_INLINE =
  /\b(?:notFound|conflict|changedMeanwhile|badRequest|forbidden(?:For)?|new Refusal)\((?:[^()]|\([^()]*\))*?['"`][A-Z]/
const REFUSES_INLINE = /\brefusal: \{[^}]*['"`][A-Z]/
/** A statement that changes rows. A `Counter`'s recount only describes one. */
const WRITES = /\bsql`\s*(?:insert into|delete from|update [a-z_]+(?! stored))\b/
const COMMANDS_OF_FEATURES =
  /^app\/(identity|companies|community|ratings|jobs|moderation|office)\/.*\.server\.ts$/

/**
 * A test that sleeps before it looks fails on a busy machine and wastes time on a calm one. These delay something on
 * purpose, or check that nothing happens, so they pass on any machine. None may sleep more often.
 */
const SLEEPS = /\bwaitForTimeout\(|\bnew Promise\(\((\w+)\) => setTimeout\(\1\b/g
/** Under the name that the file imports it as. */
const PAUSE = /\bsetTimeout(?: as (\w+))? \} from 'node:timers\/promises'/
const SLEEPING = {
  'app/community/discussions/live/live.db.test.ts': 1,
  'app/site/seo/crawler-files.db.test.ts': 1,
  'app/companies/importing/importing.db.test.ts': 2,
  'app/companies/importing/map-concurrently.test.ts': 1,
  'app/companies/tracking/tracking.db.test.ts': 1,
  'app/platform/database/database.db.test.ts': 1,
  'app/platform/queue/queue.db.test.ts': 6,
  'app/platform/database/lost-connections.db.test.ts': 1,
  'app/platform/mail/mail.test.ts': 2,
  'app/platform/database/migrate.db.test.ts': 1,
  'app/platform/database/replica.db.test.ts': 2,
  'app/kit/session/live-session.data.test.ts': 1,
  'app/api/mutation.test.ts': 1,
  'tests/journeys/asked-once.proof.ts': 5,
  'tests/journeys/consent.journey.ts': 1,
  'tests/journeys/overlays.proof.ts': 1,
  'tests/journeys/lost-database.proof.ts': 1,
  'tests/journeys/operations.journey.ts': 1,
  'tests/journeys/standby.proof.ts': 2,
  'tests/journeys/upgrade.proof.ts': 1,
  'tests/journeys/workers.proof.ts': 1,
}
/** A test mustn't give up before the run does, either. See vitest.config.ts. */
const DEADLINES = /\btimeout: \d|\bvi\.waitFor\(|^\s*\}, \d[\d_]{4,}\)$/gm
/** How many times each of these files gives up in order to try again. */
const RETRYING = { 'tests/journeys/jobs.proof.ts': 1 }
/** The formatter doesn't wrap comments. */
const LONG_COMMENT = /^(?=.{126})[ \t]*(?:\/\/|\/?\*).*/m
const isTest = (path) => /\.(test\.tsx?|journey\.ts|proof\.ts)$/.test(path)

const isCode = (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts')

/** Every import in a file: { from, typeOnly }. */
function importsOf(path) {
  const found = []
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit)
    if (node === null || typeof node !== 'object') return
    const take = (source, typeOnly) => found.push({ from: source.value, typeOnly })
    if (node.type === 'ImportDeclaration') take(node.source, node.typeOnly)
    if (node.type === 'ExportAllDeclaration') take(node.source, node.typeOnly ?? false)
    if (node.type === 'ExportNamedDeclaration' && node.source) take(node.source, node.typeOnly)
    if (node.type === 'TsImportType') take(node.argument, true)
    if (node.type === 'CallExpression' && node.callee.type === 'Import') {
      const source = node.arguments[0].expression
      if (source.type === 'StringLiteral') take(source, false)
      if (source.type === 'TemplateLiteral' && source.quasis.length === 1)
        take({ value: source.quasis[0].raw }, false)
    }
    Object.values(node).forEach(visit)
  }
  visit(
    parseSync(readFileSync(path, 'utf8'), { syntax: 'typescript', tsx: path.endsWith('x') }).body,
  )
  return found
}

const filesIn = (folder) =>
  readdirSync(join(project, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(project.length + 1))
    .map((path) => path.split(sep).join('/'))
    .filter((path) => !path.includes('/node_modules/'))
    .sort()
const files = filesIn('app')
const tests = [...files, ...(existsSync(join(project, 'tests')) ? filesIn('tests') : [])].filter(
  isTest,
)

const textOf = (path) => readFileSync(join(project, path), 'utf8')

function isImpatient(path) {
  const text = textOf(path)
  const times = (what) => text.match(what)?.length ?? 0
  const [isImported, pause = 'setTimeout'] = PAUSE.exec(text) ?? []
  const pauses = isImported ? times(new RegExp(`\\bawait ${pause}\\(`, 'g')) : 0
  return times(SLEEPS) + pauses > (SLEEPING[path] ?? 0) || times(DEADLINES) > (RETRYING[path] ?? 0)
}

/** A file's text without its comments. */
const codeOf = (path) => textOf(path).replace(/\/\*[\s\S]*?\*\/|(?<!:)\/\/.*$/gm, '')

/** Files that aren't TypeScript, whose imports are unknown. */
const unreadable = []

function readableImportsOf(path) {
  try {
    return importsOf(join(project, path))
  } catch (error) {
    const [reason] = String(error.message).trim().split('\n')
    unreadable.push({ wall: 'every-file-is-read', from: path, to: reason.trim() })
    return []
  }
}

const skeleton = mkdtempSync(join(tmpdir(), 'kettle-walls-'))
let result
try {
  for (const path of files) {
    mkdirSync(dirname(join(skeleton, path)), { recursive: true })
    const imports = isCode(path) ? readableImportsOf(path) : []
    writeFileSync(
      join(skeleton, path),
      imports
        .map(({ from, typeOnly }) => [typeOnly, JSON.stringify(from.replace(/\?.*$/, ''))])
        .map(([typeOnly, from]) => (typeOnly ? `typeOnly(${from})\n` : `import ${from}\n`))
        .join(''),
    )
  }
  for (const name of ['db', 'node_modules', 'package.json'])
    if (existsSync(join(root, name))) symlinkSync(join(root, name), join(skeleton, name))
  const { options, ...ruleSet } = walls
  const { enhancedResolveOptions, ...cruiseOptions } = options
  const cruised = await cruise(
    ['app'],
    { ...cruiseOptions, baseDir: skeleton, validate: true, ruleSet },
    enhancedResolveOptions,
  )
  result = cruised.output
} finally {
  rmSync(skeleton, { recursive: true, force: true })
}

const modules = result.modules.filter(
  (module) => files.includes(module.source) && isCode(module.source),
)
const crossed = [
  ...unreadable,
  ...result.summary.violations.map(({ rule, from, to, cycle }) => ({
    wall: rule.name,
    from,
    to: cycle ? cycle.map(({ name }) => name).join(' → ') : to,
  })),
  ...files
    .filter((path) => SAYS_NOTHING.test(path))
    .map((path) => ({ wall: 'names-say-something', from: path, to: '' })),
  ...files
    .filter(isCode)
    .map((path) => [path, USES_RETIRED.exec(`${path}\n${textOf(path)}`)?.[0]])
    .filter(([, name]) => name)
    .map(([path, name]) => ({ wall: 'names-are-the-fields-own', from: path, to: name })),
  ...files
    .filter((path) => isCode(path) && path !== SCHEMAS)
    .filter((path) => READS_IDS.test(textOf(path)))
    .map((path) => ({ wall: 'ids-have-one-form', from: path, to: SCHEMAS })),
  ...files
    .filter((path) => path.endsWith('.contract.ts'))
    .filter((path) => BOUNDS_TEXTS.test(textOf(path)))
    .map((path) => ({ wall: 'texts-have-two-forms', from: path, to: SCHEMAS })),
  ...files
    .filter((path) =>
      path.endsWith('.contract.ts')
        ? REFUSES_INLINE.test(codeOf(path))
        : COMMANDS_OF_FEATURES.test(path) && SAYS_INLINE.test(codeOf(path)),
    )
    .map((path) => ({ wall: 'refusals-stand-in-their-noun', from: path, to: '' })),
  ...files
    .filter((path) => path.endsWith('-queries.server.ts') && WRITES.test(codeOf(path)))
    .map((path) => ({ wall: 'queries-only-read', from: path, to: '' })),
  ...[...new Set([...files, ...tests])]
    .filter((path) => isCode(path) && LONG_COMMENT.test(textOf(path)))
    .map((path) => ({ wall: 'comments-fit-in-125-columns', from: path, to: '' })),
  ...tests
    .filter(isImpatient)
    .map((path) => ({ wall: 'tests-wait-for-what-they-expect', from: path, to: 'a fixed time' })),
]
if (modules.length < files.filter(isCode).length)
  crossed.push({ wall: 'every-file-is-read', from: 'app', to: `only ${modules.length} files` })

/** `app/jobs/…` is jobs. What imports everything is main. */
function roomOf(path) {
  const room = /^app\/([^/.]+)\//.exec(path)?.[1] ?? 'main'
  return room === 'commands' ? 'main' : room
}

/**
 * Which room imports values from which, as a Mermaid chart. It leaves out main, which imports everything, and arrows that
 * follow from two others.
 */
function picture() {
  const below = new Map()
  for (const { source, dependencies } of modules)
    for (const { resolved, dependencyTypes } of dependencies) {
      const isMeant = files.includes(resolved) && !dependencyTypes.includes('exotic-require')
      const [from, to] = [roomOf(source), roomOf(resolved)]
      if (!isMeant || from === to || [from, to].includes('main') || isTest(source)) continue
      below.set(from, (below.get(from) ?? new Set()).add(to))
    }
  const leadsTo = (from, to, seen = new Set()) =>
    [...(below.get(from) ?? [])].some(
      (next) => next === to || (!seen.has(next) && leadsTo(next, to, seen.add(next))),
    )
  const arrows = [...below].flatMap(([from, rooms]) =>
    [...rooms]
      .filter((to) => ![...rooms].some((room) => leadsTo(room, to)))
      .map((to) => `  ${from} --> ${to}`),
  )
  return ['flowchart TB', ...arrows.sort()].join('\n')
}

const DRAWN = 'docs/architecture.md'
if (
  existsSync(join(project, DRAWN)) &&
  !readFileSync(join(project, DRAWN), 'utf8').includes(picture())
)
  crossed.push({ wall: 'rooms-are-drawn-as-they-stand', from: DRAWN, to: 'what --picture prints' })

if (isDrawing) {
  console.log(picture())
} else if (json) {
  const sources = modules.map(({ source }) => source)
  console.log(JSON.stringify({ modules: sources, crossed }))
} else {
  for (const { wall, from, to } of crossed) {
    const comment = walls.forbidden.find(({ name }) => name === wall)?.comment
    console.log(`${wall}: ${from}${to && ` → ${to}`}${comment ? `\n  ${comment}` : ''}`)
  }
  console.log(`${modules.length} files, ${crossed.length} crossings`)
}
process.exitCode = crossed.length > 0 ? 1 : 0

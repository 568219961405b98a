// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
// npm run faults [-- WORD]: plants each fault below into a copy of the code and sees a test fail. A
// fault that every test survives is printed, and ends the run with an error. WORD picks some of them.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const auth = 'app/auth/'
const accounts = 'app/features/accounts/'
const AUTH_TESTS = `${accounts}auth.db.test.ts`
const ACCOUNT_TESTS = `${accounts}accounts.db.test.ts`
const discussions = 'app/features/discussions/'
const DISCUSSION_TESTS = `${discussions}discussions.db.test.ts`

/** Name, file, what stands there, what the fault makes of it, and the test file that must notice. */
const FAULTS = [
  [
    'any password signs in',
    `${auth}passwords.server.ts`,
    'return matches && Boolean(passwordHash)',
    'return Boolean(passwordHash) || matches',
    AUTH_TESTS,
  ],
  [
    'a forged token is taken',
    `${auth}tokens.server.ts`,
    'const claims = verify?.(token)',
    'const claims = verify ? decode(token).payload : undefined',
    AUTH_TESTS,
  ],
  [
    'alg:none is taken',
    `${auth}tokens.server.ts`,
    'const claims = verify?.(token)',
    'const claims = /none/i.test(decode(token).header.alg) ? decode(token).payload : verify?.(token)',
    AUTH_TESTS,
  ],
  [
    'an expired token is taken',
    `${auth}tokens.server.ts`,
    'if (!claims || claims.exp <= seconds()) return undefined',
    'if (!claims) return undefined',
    AUTH_TESTS,
  ],
  [
    'a token of another site is taken',
    `${auth}tokens.server.ts`,
    'const isOurs = claims?.iss === issuer() && claims.aud === AUDIENCE',
    'const isOurs = claims !== undefined',
    AUTH_TESTS,
  ],
  [
    'logout revokes nothing',
    `${accounts}session-commands.server.ts`,
    'await db.query(sql`delete from sessions where account_id = ${accountId} ${which}`)',
    'void which',
    AUTH_TESTS,
  ],
  [
    'local equals global',
    `${accounts}session-commands.server.ts`,
    'local: sql`and id = ${sessionId}`',
    'local: sql``',
    AUTH_TESTS,
  ],
  [
    'others equals global',
    `${accounts}session-commands.server.ts`,
    'others: sql`and id <> ${sessionId}`',
    'others: sql``',
    AUTH_TESTS,
  ],
  [
    'refresh reuse undetected',
    `${accounts}session-commands.server.ts`,
    'if (wasJustRotated(token, session.marks[steps - 1], ctx.now())) return { ...session, steps }',
    'return { ...session, steps }',
    AUTH_TESTS,
  ],
  [
    'reuse does not end the session',
    `${accounts}session-commands.server.ts`,
    'await ctx.db.query(sql`delete from sessions where id = ${token.sessionId}`)',
    '',
    AUTH_TESTS,
  ],
  [
    'two parallel refreshes kill a healthy session',
    `${auth}refresh-tokens.server.ts`,
    'if (markAt(token, second - age) === mark) return true',
    '',
    AUTH_TESTS,
  ],
  [
    'parallel refreshes get different successors',
    `${auth}refresh-tokens.server.ts`,
    "secret: Buffer.from(\n    secrets.hash('next refresh token', sessionId, String(number + 1), secret.toString('hex')),\n    'base64url',\n  ).subarray(0, SECRET_BYTES),",
    'secret: randomBytes(SECRET_BYTES),',
    AUTH_TESTS,
  ],
  [
    'a refresh token can be made up',
    `${auth}refresh-tokens.server.ts`,
    'if (!timingSafeEqual(bytes.subarray(LENGTH - MAC_BYTES), macOf(secrets, signed))) return undefined',
    'void timingSafeEqual',
    AUTH_TESTS,
  ],
  [
    'PKCE verifier unchecked',
    `${accounts}link-commands.server.ts`,
    "and code_challenge = case code_challenge_method\n             when 's256' then ${hashOf(verifier)}::text else ${verifier}::text end",
    '',
    AUTH_TESTS,
  ],
  [
    'a link is usable twice',
    `${accounts}link-commands.server.ts`,
    'delete from one_time_tokens\n     where token_hash = ${hashOf(token)} and kind',
    'update one_time_tokens set kind = kind\n     where token_hash = ${hashOf(token)} and kind',
    AUTH_TESTS,
  ],
  [
    'a code is usable twice',
    `${accounts}link-commands.server.ts`,
    'delete from one_time_tokens\n     where ${isKnown}',
    'update one_time_tokens set kind = kind\n     where ${isKnown}',
    AUTH_TESTS,
  ],
  [
    'a link never ends',
    `${accounts}link-commands.server.ts`,
    'and kind = ${kind} and expires_at > ${ctx.now().toISOString()}',
    'and kind = ${kind}',
    AUTH_TESTS,
  ],
  [
    'a link of one kind opens as another',
    `${accounts}link-commands.server.ts`,
    'and kind = ${kind} and expires_at >',
    'and expires_at >',
    AUTH_TESTS,
  ],
  [
    'a link is still valid after a password change',
    `${accounts}user-commands.server.ts`,
    'await forgetLinks(ctx, account.id)',
    'void forgetLinks',
    AUTH_TESTS,
  ],
  [
    'open redirect: any address',
    `${accounts}redirect-target.server.ts`,
    'return isOwn ? target.href : site.origin',
    'void isOwn\n  return target.href',
    AUTH_TESTS,
  ],
  [
    'open redirect: userinfo',
    `${accounts}redirect-target.server.ts`,
    "target.username === '' &&\n    target.password === '' &&",
    '',
    AUTH_TESTS,
  ],
  [
    'open redirect: another port',
    `${accounts}redirect-target.server.ts`,
    'target.port === site.port &&',
    '',
    AUTH_TESTS,
  ],
  [
    'session_id unchecked after logout',
    `${auth}actor.server.ts`,
    'from sessions session\n      join accounts account on account.id = session.account_id',
    "from (select ${sessionId}::uuid as id, date '2999-01-01' as expires_on) session\n      join accounts account on account.id = ${id}",
    AUTH_TESTS,
  ],
  [
    'weak reasons absent',
    `${accounts}auth-refusal.server.ts`,
    'const weak = details.reasons && { weak_password: { reasons: details.reasons } }',
    'const weak = {}',
    AUTH_TESTS,
  ],
  [
    'common passwords pass',
    `${accounts}sign-in-commands.server.ts`,
    'const isCommon = isCommonPassword(password)',
    'const isCommon = false && isCommonPassword(password)',
    AUTH_TESTS,
  ],
  [
    'a password change keeps other sessions',
    `${accounts}user-commands.server.ts`,
    "scope: 'others',",
    "scope: 'local',",
    AUTH_TESTS,
  ],
  [
    'app_metadata is writable by its user',
    `${accounts}auth-user.server.ts`,
    'app_metadata: APP_METADATA,',
    'app_metadata: account.userMetadata.app_metadata ?? APP_METADATA,',
    AUTH_TESTS,
  ],
  [
    'the role is writable by its user',
    `${accounts}auth-user.server.ts`,
    "role: 'authenticated',",
    "role: String(account.userMetadata.role ?? 'authenticated'),",
    AUTH_TESTS,
  ],
  [
    'the version header is absent',
    `${accounts}auth-api.server.ts`,
    'if (isNewShape(request)) reply.header(VERSION_HEADER, NEW_SHAPE)',
    '',
    AUTH_TESTS,
  ],
  [
    'sign-up reveals an existing address',
    `${accounts}sign-in-commands.server.ts`,
    "if (!account && isAtOnce) throw new AuthRefusal('user_already_exists')",
    "if (!account) throw new AuthRefusal('user_already_exists')",
    AUTH_TESTS,
  ],
  [
    'an unknown address is refused without a hash',
    `${auth}passwords.server.ts`,
    'const matches = await inTurn',
    'if (!passwordHash) return false\n  const matches = await inTurn',
    AUTH_TESTS,
  ],
  [
    'a mail scanner’s GET uses the link up',
    `${accounts}auth-api.server.ts`,
    "reply.type('text/html; charset=utf-8')",
    "await openLink(ctx, link.token ?? '', link.type)\n      reply.type('text/html; charset=utf-8')",
    AUTH_TESTS,
  ],
  [
    'a page elsewhere sends somebody through its own link',
    `${accounts}auth-api.server.ts`,
    'if (isFromElsewhere(request))',
    'if (false && isFromElsewhere(request))',
    AUTH_TESTS,
  ],
  [
    'the link’s page takes markup from its address',
    `${accounts}link-page.server.ts`,
    'value="${escaped(value)}"',
    'value="${value}"',
    AUTH_TESTS,
  ],
  [
    'a suspended account goes on',
    `${auth}actor.server.ts`,
    'and not account.is_suspended',
    '',
    AUTH_TESTS,
  ],
  [
    'a token stands in a log line',
    `${accounts}auth-api.server.ts`,
    'const { grant_type } = request.query',
    'request.log.info(request.body)\n      const { grant_type } = request.query',
    AUTH_TESTS,
  ],
  [
    'an address lies open in the queue',
    `${accounts}account-mail.server.ts`,
    'const payload: MailPayload = { ...request,',
    'const payload: MailPayload = { ...request, ...({ email } as object),',
    AUTH_TESTS,
  ],
  [
    'an employer is one by saying so',
    `${auth}actor.server.ts`,
    "return isEmployer ? 'employer' : 'member'",
    "void isEmployer\n  return 'employer'",
    ACCOUNT_TESTS,
  ],
  [
    'the owner needs no row',
    `${auth}actor.server.ts`,
    "if (isAdmin) return isOwner ? 'owner' : 'admin'",
    "if (isOwner) return 'owner'\n  if (isAdmin) return 'admin'",
    ACCOUNT_TESTS,
  ],
  [
    'a member manages accounts',
    `${accounts}account-admin-commands.server.ts`,
    "if (manager !== 'service' && !may.manageAccounts(manager)) throw new AuthRefusal('not_admin')",
    'void may',
    ACCOUNT_TESTS,
  ],
  [
    'an administrator takes an account over',
    `${accounts}account-admin-commands.server.ts`,
    "if (manager !== 'service' && Object.values(ofThePerson).some((value) => value !== undefined))",
    'if (false)',
    ACCOUNT_TESTS,
  ],
  [
    'an administrator reads addresses',
    `${accounts}account-admin-commands.server.ts`,
    "manager === 'service' ? userView",
    'manager ? userView',
    ACCOUNT_TESTS,
  ],
  [
    'an unconfirmed address becomes administrator',
    `${accounts}admin-commands.server.ts`,
    'if (!account.isEmailConfirmed)',
    'if (false)',
    ACCOUNT_TESTS,
  ],
  [
    'a stranger deletes a thread',
    `${discussions}thread-commands.server.ts`,
    "if (!may.deleteThread(ctx.actor, thread)) throw new Refusal('forbidden', NOT_AUTHORIZED)",
    'void NOT_AUTHORIZED',
    DISCUSSION_TESTS,
  ],
  [
    'a moderator puts words into another’s mouth',
    `${auth}permissions.ts`,
    'edit: (_actor: Actor, post: { isMine: boolean }) => post.isMine,',
    'edit: (actor: Actor, post: { isMine: boolean }) => administrator(actor) || post.isMine,',
    DISCUSSION_TESTS,
  ],
  [
    'anybody reads what an author wrote before cleaning',
    `${discussions}thread-queries.server.ts`,
    'where id = ${id} and author_key = ${ctx.actor.authorKey}`)',
    'where id = ${id}`)',
    DISCUSSION_TESTS,
  ],
  [
    'one name leads from thread to thread',
    `${discussions}posting.server.ts`,
    "ctx.secrets.hash('pseudonym', authorKey, threadId)",
    "ctx.secrets.hash('pseudonym', authorKey)",
    DISCUSSION_TESTS,
  ],
  [
    'an own post is voted on',
    `${discussions}vote-commands.server.ts`,
    'if (post.author === voter)',
    'if (false)',
    DISCUSSION_TESTS,
  ],
  [
    'a stub still names its author',
    `${discussions}comment-queries.server.ts`,
    'author: comment.isDeleted ? null : { name: authorName, isVisitor },',
    'author: { name: authorName, isVisitor },',
    DISCUSSION_TESTS,
  ],
  [
    'an author key leaves with a thread',
    `${discussions}thread-queries.server.ts`,
    'thread.is_locked as "isLocked", thread.author_name as "authorName",',
    'thread.is_locked as "isLocked", thread.author_key, thread.author_name as "authorName",',
    DISCUSSION_TESTS,
  ],
  [
    'a form sent twice makes two posts',
    `${discussions}posting.server.ts`,
    "secrets.hash('sending', authorKey, sending)",
    "secrets.hash('sending', authorKey, sending, String(Math.random()))",
    DISCUSSION_TESTS,
  ],
  [
    'an employer writes',
    `${auth}permissions.ts`,
    "write: (actor: Actor) => actor.authorKey !== null && actor.role !== 'employer',",
    'write: (actor: Actor) => actor.authorKey !== null,',
    DISCUSSION_TESTS,
  ],
  [
    'posts keep the key of a deleted account',
    `${discussions}departure.server.ts`,
    'update threads set author_key = parted.key,',
    'update threads set author_key = threads.author_key,',
    DISCUSSION_TESTS,
  ],
]

const word = process.argv[2] ?? ''
const chosen = FAULTS.filter(([name, file]) => `${name} ${file}`.includes(word))
const copy = mkdtempSync(join(tmpdir(), 'kettle-faults-'))
const survived = []
try {
  for (const name of ['app', 'tests', 'db', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(join(root, name), join(copy, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  for (const [name, file, from, to, tests] of chosen) {
    const path = join(copy, file)
    const sound = readFileSync(path, 'utf8')
    if (sound.split(from).length !== 2)
      throw new Error(`"${name}": its place in ${file} is not there, or not alone`)
    writeFileSync(
      path,
      sound.replace(from, () => to),
    )
    const vitest = join(copy, 'node_modules/vitest/vitest.mjs')
    const args = [vitest, 'run', '--project', 'pglite', tests, '--bail', '1', '--reporter', 'json']
    const { stdout } = spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' })
    writeFileSync(path, sound)
    const failed = failedTests(stdout)
    if (failed.length === 0) survived.push(name)
    console.log(
      failed.length > 0 ? `seen      ${name}\n          by: ${failed[0]}` : `SURVIVED  ${name}`,
    )
  }
} finally {
  rmSync(copy, { recursive: true, force: true })
}
console.log(`${chosen.length - survived.length} of ${chosen.length} faults were seen`)
process.exitCode = survived.length > 0 ? 1 : 0

/** A test that failed; a file that did not even load has seen nothing. */
function failedTests(report) {
  const start = report.indexOf('{"')
  const { testResults } = JSON.parse(report.slice(start))
  return testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName }) => fullName)
}

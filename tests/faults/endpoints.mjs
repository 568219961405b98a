// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of who may call what. Name, file, what stands there, what the fault makes of it, who must notice. */
export const endpoints = [
  [
    'members count unread messages',
    'app/features/contact/contact-queries.server.ts',
    'Ctx) {\n  demandReader(ctx)\n  const [counted]',
    'Ctx) {\n  const [counted]',
    'tests/endpoint-roles.db.test.ts',
  ],
  [
    'anybody changes a company’s job',
    'app/features/jobs/job-commands.server.ts',
    '  await demandClaim(ctx, job.companyId)\n  return job\n',
    '  return job\n',
    'tests/endpoint-roles.db.test.ts',
  ],
  [
    'anybody reads what an author typed',
    'app/features/discussions/thread-queries.server.ts',
    '    select title, body, topics from threads\n     where id = ${id} and author_key = ${ctx.actor.authorKey}`)',
    '    select title, body, topics from threads\n     where id = ${id}`)',
    'tests/endpoint-roles.db.test.ts',
  ],
  [
    'an answer tells the author key',
    'app/auth/proof.server.ts',
    '        salt,\n        signature,',
    '        salt: ctx.actor.authorKey ?? salt,\n        signature,',
    'tests/endpoint-roles.db.test.ts',
  ],
  [
    'an expired token goes on',
    'app/auth/tokens.server.ts',
    'if (!claims || claims.exp <= seconds()) return undefined',
    'if (!claims) return undefined',
    'tests/endpoint-roles.db.test.ts',
  ],
  [
    'a made-up date reaches the database',
    'app/server/keyset.server.ts',
    'MOMENT.test(text) && isOnCalendar(text)',
    'MOMENT.test(text)',
    'app/server/keyset.test.ts',
  ],
]

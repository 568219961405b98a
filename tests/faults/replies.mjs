// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
/** Faults of companies' replies, and of what employers are told. Name, file, what stands there, what the fault makes of it, who must notice. */
const COMMANDS = 'app/features/replies/reply-commands.server.ts'
const QUERIES = 'app/features/replies/reply-queries.server.ts'
const REPLIES = 'app/features/replies/replies.db.test.ts'
const EMPLOYERS = 'app/features/replies/employer-answers.db.test.ts'
export const replies = [
  [
    'anybody replies as a company',
    COMMANDS,
    '  await demandToActFor(ctx, companyId)\n',
    '',
    REPLIES,
  ],
  [
    'anybody changes what a company says',
    COMMANDS,
    '    await demandToActFor(ctx, answered.companyId)\n    await keepOpen',
    '    await keepOpen',
    REPLIES,
  ],
  [
    'anybody removes what a company says',
    COMMANDS,
    '    if (!may.moderate(ctx.actor)) await demandToActFor(ctx, answered.companyId)\n',
    '',
    REPLIES,
  ],
  [
    'the source of a reply is anybody’s',
    QUERIES,
    '  await demandToActFor(ctx, companyId)\n',
    '',
    REPLIES,
  ],
  [
    'a reply to a note keeps its minute',
    COMMANDS,
    '  if (noteId === null) return minuteOf(now())\n',
    '  if (noteId !== undefined) return minuteOf(now())\n',
    REPLIES,
  ],
  ['the queue keeps the second of a reply', COMMANDS, "{ since: 'minute' }", '{}', REPLIES],
  [
    'a held thread takes replies',
    COMMANDS,
    "  if (thread.hidden === 'held') throw new Refusal('conflict', THREAD_HELD)\n",
    '',
    REPLIES,
  ],
  [
    'a locked thread takes replies',
    COMMANDS,
    "  if (thread.isLocked) throw new Refusal('conflict', THREAD_LOCKED)\n",
    '',
    REPLIES,
  ],
  [
    'a removed note takes replies',
    COMMANDS,
    "  if (note.hidden === 'removed') throw new Refusal('conflict', NOTE_REMOVED)\n",
    '',
    REPLIES,
  ],
  [
    'a colleague’s words are overwritten',
    COMMANDS,
    'if (before.version !== change.version)',
    'if (before.version < change.version)',
    REPLIES,
  ],
  [
    'earlier texts of a hidden thread’s reply are told',
    QUERIES,
    'company_id = reply.company_id and hidden is null)',
    'company_id = reply.company_id)',
    REPLIES,
  ],
  [
    'earlier texts of a hidden note’s reply are told',
    QUERIES,
    "note <> '' and note_hidden is null))`",
    "note <> ''))`",
    REPLIES,
  ],
  [
    'a moved thread shows the reply of the company before',
    QUERIES,
    'where reply.thread_id = thread.id and reply.company_id = thread.company_id)`',
    'where reply.thread_id = thread.id limit 1)`',
    REPLIES,
  ],
  [
    'a reply outlives its note',
    'app/features/ratings/rating-commands.server.ts',
    '    await db.query(sql`delete from moderation_cases where note_id = ${before.id}`)\n    await db.query(sql`delete from company_replies where note_id = ${before.id}`)\n',
    '    await db.query(sql`delete from moderation_cases where note_id = ${before.id}`)\n',
    REPLIES,
  ],
  [
    'a reply outlives the words of its note',
    'app/features/ratings/rating-commands.server.ts',
    "if (rating.note === '' && before.note !== '')",
    "if (rating.note === '' && before.note === '')",
    REPLIES,
  ],
  [
    'employers vote on notes',
    'app/features/ratings/rating-commands.server.ts',
    '  if (!may.write(actor))\n',
    '  if (actor.authorKey === undefined)\n',
    EMPLOYERS,
  ],
  [
    'employers moderate',
    'app/auth/permissions.ts',
    "const administrator = (actor: Actor) => actor.role === 'admin' || actor.role === 'owner'",
    "const administrator = (actor: Actor) => actor.role !== 'visitor' && actor.role !== 'member'",
    EMPLOYERS,
  ],
  [
    'employers see numbers that are held back',
    'app/features/ratings/rating-api.server.ts',
    '      companyRatings(ctx, params.id, settings),',
    "      companyRatings(ctx, params.id, ctx.actor.role === 'employer' ? { minShown: 1 } : settings),",
    EMPLOYERS,
  ],
]

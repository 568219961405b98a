// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what is planted are pieces of code
import type { Fault } from './fault.ts'

/** What would lose something, miscount it or do it twice. */
export const consistency: Fault[] = [
  [
    'a list has no page after an empty key',
    'app/companies/company-queries.server.ts',
    '{0,500}$/s',
    '{1,500}$/s',
    'tests/paging-keys.db.test.ts',
  ],
  [
    'the lock on an account doesn’t lock',
    'app/identity/accounts/auth-server/account-admin-commands.server.ts',
    'where id = ${id} for no key update`)',
    'where id = ${id} for key share`)',
    'app/office/administration/administration.db.test.ts',
  ],
  [
    'triggers count twice in a restore',
    'app/platform/operations/backup-restore.server.ts',
    'disable trigger user',
    'enable trigger user',
    'app/platform/operations/backup.db.test.ts',
  ],
  [
    'a backup mixes several moments',
    'app/platform/operations/backup.server.ts',
    'isolation level repeatable read',
    'isolation level read committed',
    'app/platform/operations/backup.db.test.ts',
  ],
  [
    'an employer’s menus stay when the last claim ends',
    'db/migrations/0065_baseline.sql',
    "set user_metadata = user_metadata - 'user_type'",
    'set user_metadata = user_metadata',
    'app/companies/claims/claims.db.test.ts',
  ],
  [
    'deleting a company leaves the votes on its posts',
    'app/community/discussions/posts/removal.server.ts',
    'or subject_id in (select id from comments where thread_id = any',
    'or null in (select id from comments where thread_id = any',
    'app/companies/deletion/company-deletion.db.test.ts',
  ],
  [
    'a deletion doesn’t lock the company first',
    'app/companies/deletion/company-deletion.server.ts',
    'from companies where id = ${id} for update`',
    'from companies where id = ${id}`',
    'app/companies/deletion/company-deletion.db.test.ts',
  ],
  [
    'an answer is mailed again when its task runs again',
    'app/office/contact/answer-commands.server.ts',
    'where answer.id = ${answerId} and not answer.is_sent',
    'where answer.id = ${answerId}',
    'app/office/contact/contact.db.test.ts',
  ],
  [
    'two imports at once do not see each other',
    'app/companies/importing/import-turn.server.ts',
    "select pg_advisory_xact_lock(hashtext('import of companies'))",
    'select 1',
    'app/companies/importing/importing.db.test.ts',
  ],
  [
    'an import replaces what someone is editing',
    'app/companies/importing/filling.server.ts',
    'cellsOf(importedFacts, replaces, sql`for no key update`)',
    'cellsOf(importedFacts, replaces, empty)',
    'app/companies/importing/filling.db.test.ts',
  ],
  [
    'news is counted twice when its job runs twice',
    'app/moderation/notifications/notification-tasks.server.ts',
    'count(*) filter (where piece.place > coalesce(before.latest_place, 0))',
    'count(*)',
    'app/moderation/notifications/notifications.db.test.ts',
  ],
  [
    'the same news is mailed twice',
    'app/moderation/notifications/digest.server.ts',
    'not notification.is_read and not notification.is_mailed',
    'not notification.is_read',
    'app/moderation/notifications/digest.db.test.ts',
  ],
  [
    'changes during a table’s rewriting are lost',
    'app/platform/database/reorder.server.ts',
    '  await copyRows(db, table, changed)\n',
    '',
    'app/ratings/ratings.db.test.ts',
  ],
]

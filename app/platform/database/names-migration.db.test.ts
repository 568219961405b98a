/** What 0089 makes of rows from before: the same facts under their new names. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { openTestDatabase } from '#tests/support/database.ts'
import { projectFolder } from '../folders.server.ts'
import { migrate } from './migrate.server.ts'

const OURS = join(projectFolder, 'db/migrations')

test('votes, limits, paused feeds and the log mean the same after columns are renamed', async () => {
  const database = await openTestDatabase({ isEmpty: true })
  const folder = await mkdtemp(join(tmpdir(), 'kettle-migrations-'))
  try {
    await cp(OURS, folder, {
      recursive: true,
      filter: (path) => path === OURS || basename(path) < '0089',
    })
    await migrate(database, { folder, say: () => {} })
    await database.script(`
      insert into votes (subject_id, key, value, state)
      select gen_random_uuid(), decode(md5(state), 'hex'), 1, state
        from unnest(array['proven', 'unproven', 'held']) state;
      insert into chosen_limits (name, uses) values ('votes', 9), ('votes-unproven', 3);
      insert into job_feeds (address, scope, due_at, paused)
      values ('a', 'a', now(), 'Someone paused it.'), ('c', 'c', now(), null),
             ('b', 'b', now(), 'We couldn’t read it 5 times in a row. The feed returned status 500.'),
             ('d', 'd', now(), 'The person who added it can no longer post these jobs. Resume it to take it over.');
      insert into moderation_log (done_on, moderator_name, action, before)
      values (now(), 'ada', 'remove', '{"sight": {"isOpen": true}}'), (now(), 'ada', 'lock', '{"lockNote": null}');
      insert into used_numbers (mine) values (decode(md5('1'), 'hex'))`)
    await migrate(database, { folder: OURS, say: () => {} })

    const column = async (query: ReturnType<typeof sql>) =>
      (await database.query<{ it: unknown }>(query)).map(({ it }) => it)
    expect(await column(sql`select state as it from votes order by state`)).toEqual([
      'held',
      'trusted',
      'untrusted',
    ])
    expect(await column(sql`select name as it from chosen_limits order by name`)).toEqual([
      'votes',
      'votes-untrusted',
    ])
    expect(await column(sql`select paused as it from job_feeds order by address`)).toEqual([
      'by-hand',
      'failures',
      null,
      'giver-gone',
    ])
    expect(await column(sql`select before as it from moderation_log order by id`)).toEqual([
      { visibility: { isOpen: true } },
      { lockNote: null },
    ])
    expect(await column(sql`select own_row_key as it from used_numbers`)).toHaveLength(1)
  } finally {
    await database.close()
    await rm(folder, { recursive: true })
  }
})

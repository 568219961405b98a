/** Any process finds how many rows a person has by halving, even if it remembers nothing. */
import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import { expect, test } from 'vitest'
import { withDatabase } from '#tests/support/database.ts'
import { numberKeys } from './context-keys.server.ts'
import { countAll, countOwn } from './numbered-rows.server.ts'

const { as } = withDatabase()
const COMMENTS = { table: 'comments', kind: 'comment' }

test.each([0, 1, 31, 32, 33, 64, 500, 5_000])('someone who wrote %i rows has that many', (count) =>
  as('vera', async ({ db }) => {
    const [root, other] = [randomBytes(16), randomBytes(16)]
    if (count > 0)
      await db.query(sql`
        insert into used_numbers (own_row_key)
        select unnest(${numberKeys(root, 'comment', 0, count)}::bytea[])`)
    expect(await countOwn(db, COMMENTS, root)).toBe(count)
    // The cached number is right now, and wrong after one more row.
    const [next] = numberKeys(root, 'comment', count, 1)
    await db.query(sql`insert into used_numbers (own_row_key) values (${next})`)
    expect(await countOwn(db, COMMENTS, root)).toBe(count + 1)
    const numberings = [root, other].map((root) => ({ root, kind: 'comment' }))
    expect(await countAll(db, 'comments', numberings)).toEqual([count + 1, 0])
  }),
)

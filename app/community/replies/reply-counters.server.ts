import sql from 'sql-template-tag'
import type { Counter } from '#app/platform/database/counter.server.ts'

const counted = sql`
  select reply.id, (1 + count(earlier.version))::integer as version
    from company_replies reply left join company_reply_versions earlier on earlier.reply_id = reply.id
   group by reply.id`

export const replyCounters: Counter[] = [
  {
    compared: sql`
      select 'A reply by ' || company.name, 'version', kept.version::text, counted.version::text
        from company_replies kept join companies company on company.id = kept.company_id
        join (${counted}) counted on counted.id = kept.id`,
    recount: [
      sql`
      update company_replies kept set version = counted.version from (${counted}) counted
       where counted.id = kept.id and kept.version <> counted.version`,
    ],
    tables: ['company_replies', 'company_reply_versions'],
  },
]

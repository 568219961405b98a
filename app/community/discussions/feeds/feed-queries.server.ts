import sql, { type Sql } from 'sql-template-tag'
import { uuidOf } from '#app/api/schemas.ts'
import { COMPANY_NOT_FOUND } from '#app/companies/company.ts'
import { companyAt } from '#app/companies/company-queries.server.ts'
import { livingCompany } from '#app/companies/merging/merged-companies.server.ts'
import type { DataContext } from '#app/platform/database/context.server.ts'
import { notFound } from '#app/platform/http/refusal.ts'
import type { Topic } from '../discussion.contract.ts'
import { isoOf } from '../threads/thread-queries.server.ts'

const ENTRIES = 30

export interface FeedThread {
  id: string
  title: string
  html: string
  postedAt: string
  authorName: string
  isVisitor: boolean
  topics: Topic[]
}

/** Of a company or a topic, if one is given. */
export function newestThreads({ db }: DataContext, of: { company?: string; topic?: string } = {}) {
  const company = of.company ? sql`and thread.company_id = ${of.company}` : sql``
  const topic = of.topic ? sql`and thread.topics @> array[${of.topic}]::text[]` : sql``
  return db.query<FeedThread>(sql`
    select thread.id, thread.title, thread.html, ${isoOf(sql`thread.posted_minute`)} as "postedAt",
           thread.author_name as "authorName", thread.is_visitor as "isVisitor",
           (select coalesce(json_agg(json_build_object('slug', topic.slug, 'name', topic.name)
                     order by topic.position), '[]')
              from topics topic where topic.slug = any (thread.topics)) as topics
      from threads thread where thread.hidden is null ${company} ${topic}
     order by thread.posted_minute desc, thread.id desc limit ${ENTRIES}`)
}

/** @param name a company's id or slug, also one from before a merge or rename @throws Refusal not-found */
export async function feedCompany({ db }: DataContext, name: string) {
  const known = uuidOf(name)
  const id: Sql = known ? livingCompany(known) : companyAt(name)
  const [company] = await db.query<{ id: string; name: string; slug: string | null }>(
    sql`select id, name, slug from companies where id = ${id}`,
  )
  if (!company) throw notFound(COMPANY_NOT_FOUND)
  return company
}

/** @throws Refusal not-found */
export async function feedTopic({ db }: DataContext, slug: string) {
  const [topic] = await db.query<Topic>(sql`select slug, name from topics where slug = ${slug}`)
  if (!topic) throw notFound('There is no such topic')
  return topic
}

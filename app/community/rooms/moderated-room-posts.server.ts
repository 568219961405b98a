/** Room posts for moderation, which has already checked permissions. Nothing leads to their authors. */
import sql from 'sql-template-tag'
import { companyPath } from '#app/companies/company.ts'
import type { Database } from '#app/platform/database/database.server.ts'
import { type HideAs, NO_AUTHOR, type PostView } from '../reports/post-moderation.server.ts'
import type { HiddenState } from '../reports/report.ts'
import { roomPath } from './room.ts'

export const moderatedRoomPosts = {
  async lock(db: Database, id: string) {
    const [post] = await db.query<{
      companyId: string
      hidden: HiddenState | null
      hiddenReason: string | null
    }>(sql`
      select company_id as "companyId", hidden, hidden_reason as "hiddenReason"
        from room_posts where id = ${id} and not is_deleted for update`)
    return post && { ...post, ...NO_AUTHOR }
  },

  async hide(db: Database, id: string, as: HideAs) {
    await db.query(sql`
      update room_posts set hidden = ${as?.state ?? null}, hidden_reason = ${as?.reason ?? null}
       where id = ${id}`)
  },

  async views(db: Database, ids: string[]): Promise<PostView[]> {
    const posts = await db.query<
      Omit<PostView, 'thread' | 'href' | 'company' | 'author'> & {
        title: string | null
        name: string
        domain: string
        company: { id: string; name: string; slug: string | null } | null
      }
    >(sql`
      select post.id, post.domain, post.title, post.name, post.html, to_char(post.month, 'YYYY-MM') as "postedAt",
             post.hidden, post.hidden_reason as "hiddenReason",
             false as "isLocked", false as "isPinned",
             case when company.id is not null then json_build_object(
               'id', company.id, 'name', company.name, 'slug', company.slug) end as company
        from room_posts post
        left join companies company on company.id = coalesce(
          (select company_id from company_merges where id = post.company_id), post.company_id)
       where post.id = any (${ids}::uuid[]) and not post.is_deleted`)
    // The room's company may be deleted, because the room belongs to the domain.
    return posts.map(({ title, name, domain, company, ...post }) => {
      const href = company ? roomPath(company) : '/companies'
      return {
        ...post,
        thread: {
          id: null,
          title: title ?? `A comment in the room of ${company?.name ?? domain}`,
          path: href,
        },
        href,
        company: company && { id: company.id, name: company.name, path: companyPath(company) },
        author: { name, isVisitor: false },
      }
    })
  },
}

/**
 * A visible thread counts for its company; a visible comment for its thread, whatever happened to the thread, and for the
 * company while both are visible. Votes count until the post is deleted. We don't count cred here, but sum it each night.
 */
import sql, { type Sql } from 'sql-template-tag'
import type { Counter } from '#app/platform/database/counter.server.ts'
import { VOTE_STATES, weighed } from '../votes/vote-counts.server.ts'

/** Each thread's visible comments, and the position of the latest. */
const ofThreads = sql`
  select thread.id, coalesce(said.comments, 0) as comments,
         greatest(thread.last_place, said.last_place) as last_place
    from threads thread
    left join (
      select thread_id, max(place) as last_place,
             count(*) filter (where not is_deleted and hidden is null)::integer as comments
        from comments group by thread_id) said on said.thread_id = thread.id`

const threads: Counter = {
  compared: sql`
    select 'The thread “' || stored.title || '”' as subject,
           'comments, last place, answered' as counter,
           concat_ws(' ', stored.comments, stored.last_place, stored.is_answered) as stored,
           concat_ws(' ', counted.comments, counted.last_place, counted.last_place > 0) as counted
      from threads stored join (${ofThreads}) counted using (id)`,
  recount: [
    sql`
    update threads stored
       set comments = counted.comments, last_place = counted.last_place,
           is_answered = counted.last_place > 0
      from (${ofThreads}) counted
     where counted.id = stored.id
       and (stored.comments, stored.last_place, stored.is_answered)
           <> (counted.comments, counted.last_place, counted.last_place > 0)`,
  ],
  tables: ['threads', 'comments'],
}

const votes = sql`
  select id, trusted + ${weighed(sql`untrusted`)} as score, untrusted as untrusted_score
    from (select subject_id as id,
                 coalesce(sum(value) filter (where state = ${VOTE_STATES.trusted}), 0)::integer as trusted,
                 coalesce(sum(value) filter (where state = ${VOTE_STATES.untrusted}), 0)::integer as untrusted
            from votes group by subject_id) sums`

/** A post may have no votes. */
const scoreNow = sql`coalesce(counted.score, 0)`
const untrustedNow = sql`coalesce(counted.untrusted_score, 0)`

const scoresOf = (table: Sql) => sql`
  update ${table} stored set score = ${scoreNow}, untrusted_score = ${untrustedNow}
    from ${table} post left join (${votes}) counted using (id)
   where stored.id = post.id
     and (stored.score, stored.untrusted_score) <> (${scoreNow}, ${untrustedNow})`

const scores: Counter = {
  compared: sql`
    select post.subject, 'score', concat_ws(' ', post.score, post.untrusted_score),
           concat_ws(' ', ${scoreNow}, ${untrustedNow})
      from (
        select id, 'The thread “' || title || '”' as subject, score, untrusted_score from threads
        union all
        select comment.id, 'A comment below “' || thread.title || '”', comment.score,
               comment.untrusted_score
          from comments comment join threads thread on thread.id = comment.thread_id) post
      left join (${votes}) counted using (id)`,
  recount: [scoresOf(sql`threads`), scoresOf(sql`comments`)],
  tables: ['threads', 'comments', 'votes'],
}

const pollVotes = sql`
  select thread_id, place, count(*)::integer as votes from poll_votes
   where not is_held group by thread_id, place`

const polls: Counter = {
  compared: sql`
    select 'The poll of “' || thread.title || '”', 'votes for “' || stored.text || '”',
           stored.votes::text, coalesce(counted.votes, 0)::text
      from poll_options stored join threads thread on thread.id = stored.thread_id
      left join (${pollVotes}) counted using (thread_id, place)`,
  recount: [
    sql`
    update poll_options stored set votes = coalesce(counted.votes, 0)
      from poll_options option left join (${pollVotes}) counted using (thread_id, place)
     where stored.thread_id = option.thread_id and stored.place = option.place
       and stored.votes <> coalesce(counted.votes, 0)`,
  ],
  tables: ['threads', 'poll_options', 'poll_votes'],
}

/** Posts about each company, as everyone sees them. */
const ofCompanies = sql`
  select thread.company_id, count(*)::integer as threads, coalesce(sum(said.n), 0)::integer as comments
    from threads thread
    left join (
      select thread_id, count(*) as n from comments
       where not is_deleted and hidden is null group by thread_id) said on said.thread_id = thread.id
   where thread.company_id is not null and thread.hidden is null
   group by thread.company_id`

const companies: Counter = {
  compared: sql`
    select company.name, 'threads and comments', concat_ws(' ', stored.threads, stored.comments),
           concat_ws(' ', coalesce(counted.threads, 0), coalesce(counted.comments, 0))
      from company_stats stored join companies company on company.id = stored.company_id
      left join (${ofCompanies}) counted using (company_id)`,
  recount: [
    sql`
    update company_stats stats
       set threads = coalesce(counted.threads, 0), comments = coalesce(counted.comments, 0)
      from company_stats stored left join (${ofCompanies}) counted using (company_id)
     where stats.company_id = stored.company_id
       and (stored.threads, stored.comments)
           <> (coalesce(counted.threads, 0), coalesce(counted.comments, 0))`,
  ],
  tables: ['company_stats', 'threads', 'comments'],
}

export const postCounters: Counter[] = [threads, scores, polls, companies]

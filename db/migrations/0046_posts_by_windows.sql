-- outside a transaction
-- compatible: older programs may go on
-- Posts are found newest first: each index of words holds in which day, week and quarter of a year (of
-- thirteen weeks) a post was written. See docs/decisions/0044 and app/features/discussions/search.

-- Days are 4 n, weeks 4 n + 1, quarters 4 n + 2; what a thread is about is 4 n + 3. Not "strict": so each
-- comment has them without a call.
create or replace function post_windows(minute integer) returns integer[]
  language sql immutable parallel safe
  return array[minute / 1440 * 4, minute / 10080 * 4 + 1, minute / 131040 * 4 + 2];

-- Of a company's id or a topic. Two may share a key, so whoever asks compares the thread itself as well.
create or replace function facet_key(facet text) returns integer
  language sql immutable strict parallel safe
  return ('x' || substr(md5(facet), 1, 7))::bit(28)::integer * 4 + 3;

-- Dear, so that no plan works them out row by row.
create or replace function thread_facets(minute integer, company uuid, topics text[]) returns integer[]
  language sql immutable parallel safe cost 1000
  return post_windows(minute) || array(
    select facet_key(facet) from unnest(array_append(topics, company::text)) facet
     where facet is not null);

create index concurrently if not exists threads_by_words on threads
  using gin (thread_facets(posted_minute, company_id, topics), search);
create index concurrently if not exists comments_by_words on comments
  using gin (post_windows(posted_minute), search);
-- Statistics of windows would help no plan.
alter index threads_by_words alter column 1 set statistics 0;
alter index comments_by_words alter column 1 set statistics 0;

-- What a comment's windows cost is saved where it answers no other.
create index concurrently if not exists comments_by_parent_id on comments (parent_id)
  where parent_id is not null;

drop index concurrently if exists comments_by_parent;
drop index concurrently if exists threads_search;
drop index concurrently if exists threads_title_alike;
drop index concurrently if exists comments_search;

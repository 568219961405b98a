-- Threads, comments and names lie under no author key: each row has a key that is the same within its
-- thread alone, the key of its number among its author's, and its author sealed. What a site holds is set
-- aside and carried over at the first start, as 0030 did with saved threads.

-- Numbers of rows that were deleted. They are given once, or counting would stop where one is missing.
create table used_numbers (mine bytea primary key);
create function number_used() returns trigger language plpgsql as $$ begin
  insert into used_numbers select mine from gone on conflict do nothing;
  return null;
end $$;

-- Roots that died with their account, by a key of their own. What they wrote stays sealed to them.
create table departed (key bytea primary key);

-- Members' votes on what somebody wrote, as of the last night; the key is of this context alone.
drop table author_cred;
create table member_cred (
  key bytea primary key check (octet_length(key) = 16),
  cred integer not null
);

-- Whatever refers to them refers to the new ones from now on.
create temp table referring on commit drop as
  select conrelid::regclass::text as name, conname, pg_get_constraintdef(oid) as definition
    from pg_constraint
   where contype = 'f' and confrelid in ('threads'::regclass, 'comments'::regclass);

do $$ declare each record; begin
  for each in select * from referring loop
    execute format('alter table %s drop constraint %I', each.name, each.conname);
  end loop;
  delete from referring where name in ('comments', 'thread_names');
  if exists (select from threads) then
    for each in
      select indexrelid::regclass as index from pg_index
       where indrelid in ('threads'::regclass, 'comments'::regclass, 'thread_names'::regclass)
         and not exists (select from pg_constraint where conindid = indexrelid)
         and indexrelid::regclass::text not in ('threads_by_author', 'comments_by_author')
    loop
      execute format('drop index %s', each.index);
    end loop;
    for each in
      select conrelid::regclass as name, conname from pg_constraint
       where conrelid in ('threads'::regclass, 'comments'::regclass, 'thread_names'::regclass)
         and contype in ('c', 'f', 'u')
    loop
      execute format('alter table %s drop constraint %I', each.name, each.conname);
    end loop;
    alter index threads_pkey rename to threads_before_pkey;
    alter index comments_pkey rename to comments_before_pkey;
    alter index thread_names_pkey rename to thread_names_before_pkey;
    alter index threads_by_author rename to threads_before_by_author;
    alter index comments_by_author rename to comments_before_by_author;
    alter table threads rename to threads_before;
    alter table comments rename to comments_before;
    alter table thread_names rename to thread_names_before;
    update referring set definition = definition || ' not valid';
  else
    drop table thread_names, comments, threads;
  end if;
end $$;

create table threads (
  id uuid primary key default gen_random_uuid(),
  company_id uuid references companies on delete cascade,
  -- Its author, as this thread knows them: the same in its comments and names, and nowhere else.
  key bytea not null check (octet_length(key) = 16),
  -- Its number among those of its author, as only the server can compute it.
  mine bytea not null unique check (octet_length(mine) = 16),
  -- Its author, sealed. Null where nobody knows any more.
  owner bytea check (octet_length(owner) = 16),
  -- What is shown: a pseudonym of this thread, or the username as it was.
  author_name text not null,
  is_visitor boolean not null,
  title text not null check (char_length(title) between 8 and 160),
  body text not null check (char_length(body) <= 20000),
  html text not null,
  excerpt text not null,
  topics text[] not null default '{}' check (cardinality(topics) <= 5),
  -- Minutes since 1970: no finer time is kept.
  posted_minute integer not null,
  is_edited boolean not null default false,
  is_locked boolean not null default false,
  is_pinned boolean not null default false,
  -- Held until somebody has looked at it, or removed for a reason.
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  comments integer not null default 0,
  -- Apart from the count: an index over it must not be rewritten with every comment.
  is_answered boolean not null default false,
  -- Of the last comment, also of one that is gone.
  last_place integer not null default 0,
  -- What lists are ordered by; it holds of visitors' votes so much as is weighed.
  score integer not null default 0,
  visitor_score integer not null default 0,
  -- Twelve and a half hours of age weigh as much as ten times the score.
  hot double precision not null generated always as (
    sign(score) * log(greatest(abs(score), 1)::double precision) + posted_minute / 750.0::double precision
  ) stored,
  -- Of one sending: a second one with the same mark is the same post.
  sending text collate "C" not null unique,
  search tsvector not null generated always as (
    setweight(to_tsvector('english', title), 'A') || setweight(to_tsvector('english', body), 'B')
  ) stored
) with (fillfactor = 80);
create index threads_by_hot on threads (hot, id);
create index threads_by_age on threads (posted_minute, id) include (score, topics)
  where hidden is null;
create index threads_by_score on threads (score, id) include (posted_minute, topics)
  where hidden is null;
create index threads_by_day on threads ((posted_minute / 1440), score, id)
  include (posted_minute, topics) where hidden is null;
create index threads_unanswered on threads (posted_minute, id) where not is_answered;
create index threads_of_company_by_hot on threads (company_id, hot, id);
create index threads_of_company_by_age on threads (company_id, posted_minute, id);
create index threads_of_company_by_score on threads (company_id, score, id);
create index threads_pinned on threads (company_id, posted_minute) where is_pinned;
create index threads_by_topic on threads using gin (topics);
create index threads_search on threads using gin (search);
create index threads_title_alike on threads using gin (title gin_trgm_ops);

create table comments (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid not null references threads on delete cascade,
  -- Of the same thread; the command sees to it. A deleted comment with replies stays as a stub.
  parent_id uuid references comments on delete cascade,
  key bytea not null check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  owner bytea check (octet_length(owner) = 16),
  author_name text not null,
  is_visitor boolean not null,
  body text not null check (char_length(body) <= 10000),
  html text not null,
  posted_minute integer not null,
  -- Orders what was posted in one minute of one thread, and says nothing of any other.
  place integer not null,
  is_edited boolean not null default false,
  is_deleted boolean not null default false,
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  score integer not null default 0,
  visitor_score integer not null default 0,
  sending text collate "C" not null unique,
  search tsvector not null generated always as (to_tsvector('english', body)) stored,
  unique (thread_id, place)
) with (fillfactor = 80);
create index comments_by_parent on comments (parent_id);
create index comments_by_age on comments (posted_minute);
create index comments_search on comments using gin (search);

create trigger number_used after delete on threads
  referencing old table as gone for each statement execute function number_used();
create trigger number_used after delete on comments
  referencing old table as gone for each statement execute function number_used();

-- Who is called what in a thread: the same person the same name, nobody else that name.
create table thread_names (
  thread_id uuid not null references threads on delete cascade,
  key bytea primary key check (octet_length(key) = 16),
  -- A mention reaches whoever has the name.
  owner bytea check (octet_length(owner) = 16),
  name text not null,
  unique (thread_id, name)
);

do $$ declare each record; begin
  for each in select * from referring loop
    execute format('alter table %s add constraint %I %s', each.name, each.conname, each.definition);
  end loop;
end $$;

create extension if not exists pg_trgm;

-- Threads and comments. They belong to an author key and to nothing else; their time is a minute.
create table topics (
  slug text collate "C" primary key,
  name text not null,
  position integer not null
);
insert into topics (slug, name, position) values
  ('return-to-office', 'Return to office', 1),
  ('work-life-balance', 'Work-life balance', 2),
  ('culture', 'Culture', 3),
  ('inclusion', 'Inclusion', 4),
  ('pay', 'Pay and benefits', 5),
  ('management', 'Management', 6),
  ('interviews', 'Interviews', 7),
  ('layoffs', 'Layoffs and change', 8),
  ('career', 'Career', 9),
  ('remote', 'Remote work', 10),
  ('starting', 'First weeks', 11),
  ('leaving', 'Leaving', 12),
  ('water-cooler', 'Water cooler', 13);

create table threads (
  id uuid primary key default gen_random_uuid(),
  company_id uuid references companies on delete cascade,
  author_key text collate "C" not null,
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
  comments integer not null default 0,
  -- Apart from the count: an index over it must not be rewritten with every comment.
  is_answered boolean not null default false,
  -- Of the last comment, also of one that is gone.
  last_place integer not null default 0,
  score integer not null default 0,
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
create index threads_by_age on threads (posted_minute, id);
create index threads_by_score on threads (score, id);
create index threads_unanswered on threads (posted_minute, id) where not is_answered;
create index threads_of_company_by_hot on threads (company_id, hot, id);
create index threads_of_company_by_age on threads (company_id, posted_minute, id);
create index threads_of_company_by_score on threads (company_id, score, id);
create index threads_by_author on threads (author_key, posted_minute, id);
create index threads_by_topic on threads using gin (topics);
create index threads_search on threads using gin (search);
create index threads_title_alike on threads using gin (title gin_trgm_ops);

create table comments (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid not null references threads on delete cascade,
  -- Of the same thread; the command sees to it. A deleted comment with replies stays as a stub.
  parent_id uuid references comments on delete cascade,
  author_key text collate "C" not null,
  author_name text not null,
  is_visitor boolean not null,
  body text not null check (char_length(body) <= 10000),
  html text not null,
  posted_minute integer not null,
  -- Orders what was posted in one minute of one thread, and says nothing of any other.
  place integer not null,
  is_edited boolean not null default false,
  is_deleted boolean not null default false,
  score integer not null default 0,
  sending text collate "C" not null unique,
  search tsvector not null generated always as (to_tsvector('english', body)) stored,
  unique (thread_id, place)
) with (fillfactor = 80);
create index comments_by_parent on comments (parent_id);
create index comments_by_author on comments (author_key, posted_minute, id);
create index comments_by_age on comments (posted_minute);
create index comments_search on comments using gin (search);

-- Who is called what in a thread: the same person the same name, nobody else that name.
create table thread_names (
  thread_id uuid not null references threads on delete cascade,
  author_key text collate "C" not null,
  name text not null,
  primary key (thread_id, author_key),
  unique (thread_id, name)
);

-- Up or down, once per author key. The subject is a thread or a comment.
create table votes (
  subject_id uuid not null,
  author_key text collate "C" not null,
  value smallint not null check (value in (-1, 1)),
  primary key (subject_id, author_key)
);
create index votes_by_author on votes (author_key);

-- Sum of the votes on what somebody wrote.
create table author_cred (
  author_key text collate "C" primary key,
  cred integer not null default 0
);

create table saved_threads (
  author_key text collate "C" not null,
  thread_id uuid not null references threads on delete cascade,
  primary key (author_key, thread_id)
);
create index saved_threads_by_thread on saved_threads (thread_id);

create table polls (
  thread_id uuid primary key references threads on delete cascade,
  closes_on date not null
);
create table poll_options (
  thread_id uuid not null references polls on delete cascade,
  place smallint not null,
  text text not null check (char_length(text) between 1 and 100),
  votes integer not null default 0,
  primary key (thread_id, place)
);
create table poll_votes (
  thread_id uuid not null,
  author_key text collate "C" not null,
  place smallint not null,
  primary key (thread_id, author_key),
  foreign key (thread_id, place) references poll_options on delete cascade
);

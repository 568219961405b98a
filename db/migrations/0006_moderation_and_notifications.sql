-- A post that is not shown: held until somebody has looked at it, or removed for a reason. Its words
-- stay, for its author, for an appeal, and for undoing it.
alter table threads
  add column hidden text check (hidden in ('held', 'removed')),
  add column hidden_reason text,
  add column is_pinned boolean not null default false;
alter table comments
  add column hidden text check (hidden in ('held', 'removed')),
  add column hidden_reason text;
-- The top of a week, or of a topic, is looked for in these alone: what filters stands in them, too.
drop index threads_by_score, threads_by_age;
create index threads_by_score on threads (score, id) include (posted_minute, topics)
  where hidden is null;
create index threads_by_age on threads (posted_minute, id) include (score, topics)
  where hidden is null;
create index threads_pinned on threads (company_id, posted_minute) where is_pinned;

-- What moderators look at: one case per post. It goes with its post.
create table moderation_cases (
  id uuid primary key default gen_random_uuid(),
  thread_id uuid unique references threads on delete cascade,
  comment_id uuid unique references comments on delete cascade,
  cause text not null check (cause in ('reports', 'burst', 'moderator')),
  is_open boolean not null,
  -- A moderator kept it as it is: reports alone do not hold it again.
  is_cleared boolean not null default false,
  -- Words to the author of a removed post.
  note text,
  -- Whose decision stands, for the appeal to go to another one.
  decided_by uuid references accounts on delete set null,
  appeal text,
  appeal_status text check (appeal_status in ('open', 'accepted', 'declined')),
  opened_on date not null,
  check (num_nonnulls(thread_id, comment_id) = 1)
);
create index moderation_cases_open on moderation_cases (opened_on, id) where is_open;
create index moderation_cases_appealed on moderation_cases (opened_on, id)
  where appeal_status = 'open';

create table reports (
  case_id uuid not null references moderation_cases on delete cascade,
  author_key text collate "C" not null,
  reason text not null,
  note text not null default '',
  -- Of a member with a confirmed address: only these can hold a post.
  is_weighty boolean not null,
  -- A decision was made since.
  is_settled boolean not null default false,
  primary key (case_id, author_key)
);
create index reports_by_author on reports (author_key);

-- Whose key may not write for a while. Moderators see it at the one post that led to it, nowhere else.
create table suspensions (
  id uuid primary key default gen_random_uuid(),
  case_id uuid references moderation_cases on delete set null,
  author_key text collate "C" not null,
  ends_on date not null,
  reason text not null
);
create index suspensions_by_author on suspensions (author_key, ends_on);
create index suspensions_by_case on suspensions (case_id);

-- Who of the moderators did what. The day is enough; the number gives the order.
create table moderation_log (
  id bigint generated always as identity primary key,
  done_on date not null,
  moderator_id uuid references accounts on delete set null,
  moderator_name text not null,
  action text not null,
  -- May be gone since: no reference.
  thread_id uuid,
  comment_id uuid,
  reason text,
  note text,
  -- What undoing needs to know.
  before jsonb not null default '{}',
  undone_by bigint references moderation_log
);
create index moderation_log_by_moderator on moderation_log (moderator_id);
create index moderation_log_by_thread on moderation_log (thread_id, id);
create index moderation_log_by_comment on moderation_log (comment_id, id)
  where comment_id is not null;

-- What everybody may know of removals: how many, when, why; no words.
create table removal_counts (
  company_id uuid references companies on delete cascade,
  month date not null check (extract(day from month) = 1),
  reason text not null,
  threads integer not null default 0,
  comments integer not null default 0,
  unique nulls not distinct (company_id, month, reason)
);

-- News for whoever has an author key: one row per post and kind, which counts on until it is read.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  author_key text collate "C" not null,
  kind text not null check (kind in ('reply', 'mention', 'moderation')),
  thread_id uuid not null references threads on delete cascade,
  -- The comment of that person that it is about; without one it is about the thread.
  comment_id uuid references comments on delete cascade,
  -- The last comment that was counted; its place tells what was counted already.
  latest_id uuid references comments on delete set null,
  latest_place integer not null default 0,
  -- Of moderation: what was done, and why.
  event text,
  reason text,
  count integer not null default 1,
  is_read boolean not null default false,
  is_mailed boolean not null default false,
  minute integer not null,
  unique nulls not distinct (author_key, kind, thread_id, comment_id)
) with (fillfactor = 80);
create index notifications_by_author on notifications (author_key, minute, id);
create index notifications_unread on notifications (author_key) where not is_read;
create index notifications_by_thread on notifications (thread_id);
create index notifications_by_comment on notifications (comment_id);
create index notifications_by_latest on notifications (latest_id);
create index notifications_by_minute on notifications (minute);

create table muted_threads (
  author_key text collate "C" not null,
  thread_id uuid not null references threads on delete cascade,
  primary key (author_key, thread_id)
);
create index muted_threads_by_thread on muted_threads (thread_id);

-- Who wants mails about news, and how often; without a row nobody does. It names no account: mailed
-- news is marked, so where one member alone wants mails, the marks would tell what that one wrote.
create table digests (
  -- A keyed hash of the account, and the account sealed.
  reader text collate "C" primary key,
  account_sealed text not null,
  every text not null check (every in ('daily', 'weekly'))
);

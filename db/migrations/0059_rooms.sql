-- compatible: older programs may go on
-- Company rooms: what holders of one domain's badges write among themselves. Decision 65.

-- Opened at night, once enough people had a badge of one quarter.
alter table badge_domains add column if not exists has_room boolean not null default false;

-- Threads and their comments. No account, no minute; nothing that two threads have in common.
create table room_posts (
  id uuid primary key,
  domain text not null,
  -- Where its writer came from; merged companies are looked up.
  company_id uuid not null,
  -- Its own id for what begins a thread.
  thread_id uuid not null references room_posts on delete cascade,
  -- Its place in the thread, from 0.
  nth integer not null,
  -- Of a thread: its place in the room, a higher one with each comment.
  place integer check ((place is null) = (nth > 0)),
  title text check ((title is null) = (nth > 0)),
  body text not null,
  html text not null,
  name text not null,
  -- Who wrote it, as this thread knows them: a hash of a proven tag.
  thread_key bytea not null check (length(thread_key) = 32),
  -- SHA-256 of the key that changes and removes it.
  holder bytea not null check (length(holder) = 32),
  written_on date not null,
  is_edited boolean not null default false,
  -- Of a thread whose comments stay.
  is_deleted boolean not null default false,
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  unique (thread_id, nth)
);
create unique index room_threads_by_place on room_posts (domain, place) where place is not null;

alter table moderation_cases
  add column room_post_id uuid unique references room_posts on delete cascade,
  drop constraint moderation_cases_check,
  add constraint moderation_cases_check check
    (num_nonnulls(thread_id, comment_id, note_id, job_id, reply_id, room_post_id) = 1);
alter table moderation_log add column room_post_id uuid;
create index moderation_log_by_room_post on moderation_log (room_post_id, id)
  where room_post_id is not null;

-- Every employment type of schema.org.
alter table job_postings drop constraint job_postings_employment_type_check;
alter table job_postings add constraint job_postings_employment_type_check check (employment_type in
  ('full-time', 'part-time', 'contract', 'temporary', 'internship', 'volunteer', 'other'));

-- Addresses of other sites' jobs, which we read every day.
create table job_feeds (
  id uuid default gen_random_uuid() primary key,
  -- The order of feeds, as they have no times of adding.
  number bigint generated always as identity,
  -- The one company it can post for. Null for an administrator's.
  company_id uuid references companies on delete cascade,
  -- Who gave it, or resumed it last. Without a person who may post, it's paused.
  account_id uuid references accounts on delete set null,
  address text not null check (char_length(address) <= 2000),
  -- Of the address and the company at first, so that a feed that's added again finds its jobs.
  scope text collate "C" not null unique,
  -- When it's read next.
  due_at timestamptz not null,
  -- The run that's reading it, which others leave alone until then.
  holder uuid,
  held_until timestamptz,
  -- The last complete reading, and what its server said about that version.
  read_at timestamptz,
  etag text,
  last_modified text,
  -- Failures in a row.
  failures integer default 0 not null,
  -- A sentence, while it's paused.
  paused text,
  -- Jobs that weren't in it, too many to close without a person who says so.
  missing uuid[] default '{}'::uuid[] not null,
  merged_from uuid
);
create index job_feeds_due on job_feeds (due_at) where paused is null;
create index job_feeds_of_company on job_feeds (company_id);
create index job_feeds_of_account on job_feeds (account_id);

-- The last readings of a feed.
create table job_feed_runs (
  feed_id uuid not null references job_feeds on delete cascade,
  number bigint generated always as identity,
  read_at timestamptz not null,
  outcome text collate "C" not null check (outcome in ('read', 'unchanged', 'failed')),
  added integer default 0 not null,
  changed integer default 0 not null,
  closed integer default 0 not null,
  listed integer default 0 not null,
  omitted integer default 0 not null,
  -- A sentence about what we didn't do.
  note text,
  -- The first rows that we left out: [{ row, reason }].
  omitted_rows jsonb default '[]' not null,
  primary key (feed_id, number)
);

-- Which feed keeps a job up to date.
alter table job_postings add column feed_id uuid references job_feeds on delete set null;
-- It was closed because the feed no longer had it, so it opens again when the feed does.
alter table job_postings add column feed_closed boolean default false not null;
create index jobs_of_feed on job_postings (feed_id) where feed_id is not null;

-- Who hears of which company. Under the author key: nothing here leads to an account.
create table follows (
  author_key text collate "C" not null,
  company_id uuid not null references companies on delete cascade,
  threads boolean not null default true,
  ratings boolean not null default true,
  policy boolean not null default true,
  jobs boolean not null default true,
  is_paused boolean not null default false,
  primary key (author_key, company_id)
);
create index follows_by_company on follows (company_id);

-- News may be about a company, too: then there is no thread of one's own.
alter table notifications
  alter column thread_id drop not null,
  add column company_id uuid references companies on delete cascade,
  -- Of alerts: the threads that were told of, newest first. Those of them that are shown are the news,
  -- and each is told once. No reference: one that is gone is no news.
  add column thread_ids uuid[] not null default '{}' check (cardinality(thread_ids) <= 50),
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check
    check (kind in ('reply', 'mention', 'moderation', 'alert')),
  add constraint notifications_about
    check (case kind when 'alert' then num_nonnulls(company_id, event) = 2
                     else thread_id is not null end),
  drop constraint notifications_author_key_kind_thread_id_comment_id_key;
create unique index notifications_alerts on notifications (author_key, company_id, event)
  where kind = 'alert';
create unique index notifications_about_posts on notifications
  (author_key, kind, thread_id, comment_id) nulls not distinct where kind <> 'alert';
create index notifications_by_company on notifications (company_id) where company_id is not null;

-- The score that followers were last told of, as it was shown.
alter table company_stats add column told_score double precision;

-- What a company says of its return to the office; the last row is how it is now.
create table company_policies (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('office', 'hybrid', 'remote')),
  -- Days a week in the office.
  days smallint check (days between 0 and 5),
  since date check (extract(day from since) = 1),
  source text check (char_length(source) <= 300)
);
create index company_policies_by_company on company_policies (company_id, id);

-- Changes of what is said about a company: suggested, applied, declined, taken back.
create table company_edits (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies on delete cascade,
  -- Per field: what stood there and what shall.
  changes jsonb not null,
  -- Why, in the words of whoever suggests it.
  reason text not null default '' check (char_length(reason) <= 500),
  status text not null check (status in ('suggested', 'applied', 'declined', 'reverted')),
  made_on date not null,
  -- Of a member's suggestion; an administrator's change has none.
  author_key text collate "C",
  decided_by uuid references accounts on delete set null,
  decided_name text
);
create index company_edits_by_company on company_edits (company_id, id);
create index company_edits_open on company_edits (id) where status = 'suggested';
create index company_edits_by_author on company_edits (author_key) where author_key is not null;

-- Logos, as we made them: WebP, small, without whatever their files held beside the picture.
create table company_logos (
  company_id uuid primary key references companies on delete cascade,
  hash text collate "C" not null,
  bytes bytea not null check (octet_length(bytes) <= 262144)
);

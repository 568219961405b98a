-- What people rate. A rating knows no account and no time finer than its month; the tag is
-- HMAC(pepper, account, company), so that one person has one rating of a company and can change it.
-- The table is written anew every day, in another order (shuffle.server.ts): nothing references it.
create table ratings (
  id uuid not null default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  tag text collate "C" not null,
  -- Of the last change.
  month date not null check (extract(day from month) = 1),
  rto smallint check (rto between 1 and 5),
  dei smallint check (dei between 1 and 5),
  work_life smallint check (work_life between 1 and 5),
  culture smallint check (culture between 1 and 5),
  -- Days a week that one really spends in the office.
  office_days smallint check (office_days between 0 and 5),
  relation text check (relation in ('current', 'former', 'candidate')),
  era text check (era in ('2023', '2020', '2015', 'earlier')),
  note text not null default '' check (char_length(note) <= 2000),
  note_html text not null default '',
  note_hidden text check (note_hidden in ('held', 'removed')),
  note_hidden_reason text,
  -- How many found the note helpful.
  helpful integer not null default 0,
  check (num_nonnulls(rto, dei, work_life, culture) > 0)
);
-- As shuffle.server.ts makes them again.
create unique index ratings_by_id on ratings (id);
create unique index ratings_by_tag on ratings (tag);
create index ratings_by_company on ratings (company_id);
create index ratings_notes on ratings (company_id, month, id)
  where note <> '' and note_hidden is null;
create index ratings_hidden on ratings (company_id) where note_hidden is not null;

-- Notes are reported and removed as posts are. No reference: the table is written anew every day.
alter table moderation_cases
  add column note_id uuid unique,
  drop constraint moderation_cases_check,
  add constraint moderation_cases_check check (num_nonnulls(thread_id, comment_id, note_id) = 1);
alter table moderation_log add column note_id uuid;
create index moderation_log_by_note on moderation_log (note_id, id) where note_id is not null;
alter table removal_counts add column notes integer not null default 0;

-- Written only while the table is written anew: which rows changed meanwhile.
create function rating_changed() returns trigger language plpgsql as $$
begin
  insert into rating_changes (id) values (coalesce(new.id, old.id));
  return null;
end $$;

-- Who found a note helpful, once per author key.
create table rating_votes (
  rating_id uuid not null,
  author_key text collate "C" not null,
  primary key (rating_id, author_key)
);
create index rating_votes_by_author on rating_votes (author_key);

-- What every shown number is made of.
create table rating_months (
  company_id uuid not null references companies on delete cascade,
  month date not null,
  ratings integer not null default 0,
  -- Sum of the averages (Spec §5), which have one decimal, in tenths.
  tenths integer not null default 0,
  -- How often each number of stars was given, from one to five.
  rto integer[] not null default '{0,0,0,0,0}',
  dei integer[] not null default '{0,0,0,0,0}',
  work_life integer[] not null default '{0,0,0,0,0}',
  culture integer[] not null default '{0,0,0,0,0}',
  -- The day on which unusually many had come: this month counts more from day to day.
  surge_since date,
  primary key (company_id, month)
) with (fillfactor = 70);
create index rating_months_surging on rating_months (surge_since) where surge_since is not null;

create function add_stars(counts integer[], stars smallint, n integer) returns integer[]
  language sql immutable parallel safe
  return case when stars is null then counts
    else counts[:stars - 1] || (counts[stars] + n) || counts[stars + 1:] end;

-- A category's stars in all, and how often it was rated.
create function star_sum(counts integer[]) returns bigint language sql immutable parallel safe
  return counts[1] + 2 * counts[2] + 3 * counts[3] + 4 * counts[4] + 5::bigint * counts[5];
create function star_count(counts integer[]) returns bigint language sql immutable parallel safe
  return counts[1] + counts[2] + counts[3] + counts[4] + counts[5]::bigint;

-- Scores are means of weighted months now, so they are stored as they are shown.
drop index company_stats_by_score;
alter table company_stats
  drop column score, drop column rating_sum,
  drop column rto_sum, drop column rto_count,
  drop column dei_sum, drop column dei_count,
  drop column work_life_sum, drop column work_life_count,
  drop column culture_sum, drop column culture_count;
alter table company_stats
  add column score double precision not null default 0,
  add column rto double precision,
  add column dei double precision,
  add column work_life double precision,
  add column culture double precision;
create index company_stats_by_score on company_stats (score, company_id);

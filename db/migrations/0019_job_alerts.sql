-- What people keep of jobs, under the author key: nothing here leads to an account.
create table saved_jobs (
  author_key text collate "C" not null,
  job_id uuid not null references job_postings on delete cascade,
  -- The order in which they were saved; when, nobody keeps.
  number bigint generated always as identity,
  primary key (author_key, job_id)
);
create index saved_jobs_by_job on saved_jobs (job_id);

-- What somebody wants to be told of when it is posted. Each wish that is there must fit.
create table job_alerts (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity,
  author_key text collate "C" not null,
  search text check (char_length(search) <= 200),
  company_id uuid references companies on delete cascade,
  place text check (char_length(place) <= 100),
  remote_policy text collate "C",
  employment_type text collate "C",
  -- At least, in whole units a year.
  salary bigint check (salary > 0),
  salary_currency text collate "C",
  words tsquery generated always as (websearch_to_tsquery('english', search)) stored,
  -- The place, as `place_keys` of jobs has it.
  place_key text collate "C",
  -- Without one of these no job fits: how a new job finds its alerts without reading all of them.
  keys text[] collate "C" not null check (cardinality(keys) > 0),
  check ((salary is null) = (salary_currency is null)),
  check ((place is null) = (place_key is null)),
  check (num_nonnulls(search, company_id, place, remote_policy, employment_type, salary) > 0),
  unique nulls not distinct
    (author_key, search, company_id, place, remote_policy, employment_type, salary, salary_currency)
);
create index job_alerts_by_key on job_alerts using gin (keys) with (fastupdate = off);
create index job_alerts_by_company on job_alerts (company_id) where company_id is not null;

alter table notifications
  -- Of alerts: the jobs that were told of, newest first, as `thread_ids` are.
  add column job_ids uuid[] not null default '{}' check (cardinality(job_ids) <= 50),
  drop constraint notifications_kind_check,
  add constraint notifications_kind_check
    check (kind in ('reply', 'mention', 'company-reply', 'moderation', 'alert')),
  drop constraint notifications_about,
  add constraint notifications_about
    check (case kind when 'alert' then num_nonnulls(company_id, event) = 2
                     when 'company-reply' then num_nonnulls(thread_id, company_id, reason) = 3
                     else thread_id is not null end);

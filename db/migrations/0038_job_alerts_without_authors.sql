-- As 0037 did with followed companies.
do $$ begin
  drop index job_alerts_by_key, job_alerts_by_company;
  if exists (select from job_alerts) then
    alter table job_alerts rename to job_alerts_before;
    alter index job_alerts_pkey rename to job_alerts_before_pkey;
    create unique index job_alerts_before_order on job_alerts_before (author_key, number);
  else
    drop table job_alerts;
  end if;
end $$;

create table job_alerts (
  id uuid primary key default gen_random_uuid(),
  -- Who it is, as the context of these wishes knows them: the same twice is one alert.
  key bytea not null unique check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  owner bytea not null,
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
  check (num_nonnulls(search, company_id, place, remote_policy, employment_type, salary) > 0)
);
create index job_alerts_by_key on job_alerts using gin (keys) with (fastupdate = off);
create index job_alerts_by_company on job_alerts (company_id) where company_id is not null;

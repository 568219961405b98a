-- Jobs. Nothing says which person wrote one: they are the company's.

-- PostgreSQL cannot know that texts become text the same way in every session.
create function job_words(words text[]) returns text
  language sql immutable strict parallel safe
  return array_to_string(words, ' ');

-- What a job is found by beside its words:
-- - where and how: "p:berlin", "remote", "full-time k:DE", "remote full-time b:berlin:DE"; what is
--   filtered together is one facet, because to meet several common ones takes long,
-- - its currency (c:EUR), and each rung of a ladder that its pay reaches (c:EUR:50: fifty thousand
--   dollars' worth), so that "at least" is one facet, too,
-- - its slots in the orders of lists: by day (D:20000) and sixteenth of a day's ids (d:320007), and by
--   salary, sixty-four to a doubling (w:1081).
-- PL/pgSQL keeps its plans, which makes it ten times as quick as SQL here.
create function job_facets(
  id uuid, posted_date date, remote_policy text, employment_type text, place_keys text[],
  salary_currency text, salary_worth integer
) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  kind text := remote_policy || ' ' || employment_type;
  facets text[] := array[remote_policy, employment_type, kind] || place_keys;
  place text;
  rung integer;
  day integer := posted_date - date '1970-01-01';
begin
  foreach place in array place_keys loop
    facets := facets || array[
      remote_policy || ' ' || place, employment_type || ' ' || place, kind || ' ' || place];
  end loop;
  facets := facets || ('c:' || salary_currency);
  foreach rung in array
    '{20, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1000}'::integer[]
  loop
    exit when rung * 1000 > salary_worth;
    facets := facets || ('c:' || salary_currency || ':' || rung);
  end loop;
  return facets || array[
    'D:' || day,
    'd:' || day * 16 + get_byte(uuid_send(id), 0) / 16,
    'w:' || floor(64 * ln(least(greatest(salary_worth, 16384), 1048576)::double precision)
                  / ln(2::double precision))::integer];
end $$;

create table job_postings (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  -- Its company's name, for the search; a trigger keeps it.
  company_name text not null,
  title text not null check (char_length(title) between 1 and 120),
  description text not null check (char_length(description) <= 20000),
  html text not null,
  excerpt text not null,
  -- [{ city, country }].
  places jsonb not null default '[]',
  -- What a search for a place looks for: p:berlin (the city, folded), k:DE (the country, also one
  -- from where a remote job can be done) and b:berlin:DE (both).
  place_keys text[] collate "C" not null default '{}',
  remote_policy text collate "C" not null check (remote_policy in ('on-site', 'hybrid', 'remote')),
  hybrid_days smallint check (hybrid_days between 1 and 4),
  remote_regions text[] collate "C" not null default '{}',
  employment_type text collate "C" not null
    check (employment_type in ('full-time', 'part-time', 'contract', 'temporary', 'internship')),
  seniority text collate "C"
    check (seniority in ('entry', 'junior', 'mid', 'senior', 'lead', 'executive')),
  -- Null only in a draft.
  salary_minimum numeric(11, 2) check (salary_minimum > 0),
  salary_maximum numeric(11, 2),
  salary_currency text collate "C" not null check (salary_currency ~ '^[A-Z]{3}$'),
  salary_period text collate "C" not null check (salary_period in ('year', 'month', 'hour')),
  -- In whole units a year, comparable within a currency.
  yearly_minimum bigint not null default 0,
  yearly_maximum bigint not null default 0,
  -- The maximum in roughly so many US dollars: the order of salaries of several currencies.
  salary_worth integer not null default 0,
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  -- One of them; of a draft perhaps none. The address is there to be shown, to everybody.
  apply_link text,
  apply_email text,
  -- An open job whose last day has passed is expired at once; the status follows within a day.
  status text collate "C" not null check (status in ('draft', 'open', 'filled', 'expired')),
  -- The day on which it was open first; renewing it does not make it new.
  posted_date date,
  -- The last day on which it is open.
  valid_through date,
  -- Of one sending, or of one row of a feed: a second one with the same mark is the same job.
  sending text collate "C" not null unique,
  -- People of each day, of all days.
  views integer not null default 0,
  applies integer not null default 0,
  facets text[] collate "C" not null generated always as (
    job_facets(id, posted_date, remote_policy, employment_type, place_keys, salary_currency,
               salary_worth)
  ) stored,
  search tsvector not null generated always as (
    to_tsvector('english', title) || to_tsvector('english', company_name)
    || to_tsvector('english', job_words(tags)) || to_tsvector('english', description)
  ) stored,
  -- A draft may wait for anything but its title.
  check (status = 'draft' or salary_minimum is not null and salary_maximum >= salary_minimum),
  check (num_nonnulls(apply_link, apply_email) = 1 or status = 'draft'),
  check ((status = 'draft') = (posted_date is null)),
  check ((status = 'draft') = (valid_through is null))
-- Long texts stand apart, so that a list reads few pages; counting a view moves nothing.
) with (fillfactor = 85, toast_tuple_target = 512);

create index jobs_of_company on job_postings (company_id, posted_date, id);
create index jobs_by_end on job_postings (valid_through) where status = 'open';
-- Words and filters in one, so that they are met in one pass. Without a pending list: every search
-- would have to read through it.
create index jobs_by_words on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open';
-- And in bands of salaries: where no baristas are paid, the order of salaries need not look for them.
create index jobs_by_words_from_340000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 340000;
create index jobs_by_words_from_240000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 240000 and salary_worth < 340000;
create index jobs_by_words_from_170000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 170000 and salary_worth < 240000;
create index jobs_by_words_from_120000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 120000 and salary_worth < 170000;
create index jobs_by_words_from_84000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 84000 and salary_worth < 120000;
create index jobs_by_words_from_60000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 60000 and salary_worth < 84000;
create index jobs_by_words_from_42000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 42000 and salary_worth < 60000;
create index jobs_by_words_from_30000 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 30000 and salary_worth < 42000;
create index jobs_by_words_from_0 on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open' and salary_worth >= 0 and salary_worth < 30000;

-- Open jobs in the two orders of lists, once for each of what most lists are of: all jobs (*), a
-- currency (c:EUR), the places' keys, and each of these in a currency (k:DE c:EUR). The indexes hold all that most filters need; triggers keep it.
create table job_entries (
  key text collate "C" not null,
  remote_policy text collate "C" not null,
  employment_type text collate "C" not null,
  -- Days since 1970.
  posted_day integer not null,
  salary_worth integer not null default 0,
  job_id uuid not null references job_postings on delete cascade,
  salary_currency text collate "C" not null,
  yearly_maximum bigint not null,
  valid_through date not null
);
create index job_entries_by_age
  on job_entries (key, remote_policy, employment_type, posted_day, job_id)
  include (salary_worth, salary_currency, yearly_maximum, valid_through);
create index job_entries_by_salary
  on job_entries (key, remote_policy, employment_type, salary_worth, job_id)
  include (posted_day, salary_currency, yearly_maximum, valid_through);
create index job_entries_of_job on job_entries (job_id);

create function job_entered() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from job_entries where job_id = new.id;
  end if;
  if new.status = 'open' then
    insert into job_entries (key, remote_policy, employment_type, posted_day, salary_worth, job_id,
                             salary_currency, yearly_maximum, valid_through)
    select key, new.remote_policy, new.employment_type, new.posted_date - date '1970-01-01',
           new.salary_worth, new.id, new.salary_currency, new.yearly_maximum, new.valid_through
      from unnest(array['*', 'c:' || new.salary_currency] || new.place_keys
             || array(select place || ' c:' || new.salary_currency
                        from unnest(new.place_keys) place)) key;
  end if;
  return null;
end $$;
create trigger job_entered after insert on job_postings
  for each row execute function job_entered();
create trigger job_entered_anew
  after update of status, place_keys, remote_policy, employment_type, salary_worth, salary_currency,
                  yearly_maximum, posted_date, valid_through on job_postings
  for each row execute function job_entered();

create function company_renamed_in_jobs() returns trigger language plpgsql as $$
begin
  update job_postings set company_name = new.name where company_id = new.id;
  return null;
end $$;
create trigger company_renamed_in_jobs after update of name on companies
  for each row when (old.name is distinct from new.name)
  execute function company_renamed_in_jobs();

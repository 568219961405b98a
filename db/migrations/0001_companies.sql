-- Workplaces that people look up and rate.
create table companies (
  id uuid primary key default gen_random_uuid(),
  name text not null check (char_length(name) between 1 and 120),
  -- The name in lower case and without accents: the order of lists, the same on every engine.
  name_key text collate "C" not null,
  -- Null for a name without letters or digits: such a company lives at /company/{id}.
  slug text collate "C" unique,
  category text not null default 'Other' check (char_length(category) between 1 and 60),
  description text check (char_length(description) <= 500),
  website text check (char_length(website) <= 300),
  logo_url text check (char_length(logo_url) <= 500),
  demo boolean not null default false,
  -- Name, description and category, a line each, as name_key: what a search looks through.
  -- The bound keeps it within what an index tuple can hold.
  search_text text collate "C" not null check (octet_length(search_text) <= 2400),
  created_at timestamptz not null default now()
);

create index companies_by_age on companies (created_at, id);
create index companies_by_category on companies (category, name_key, id);

-- A renamed company keeps its former addresses.
create table company_old_slugs (
  slug text collate "C" primary key,
  company_id uuid not null references companies on delete cascade
);
create index company_old_slugs_by_company on company_old_slugs (company_id);

-- Counters stand apart from what is searched: an update there would rewrite its search entries.
create table company_stats (
  company_id uuid primary key references companies on delete cascade,
  threads integer not null default 0,
  comments integer not null default 0,
  recent_comments integer not null default 0,
  views bigint not null default 0,
  ratings integer not null default 0,
  rating_sum double precision not null default 0,
  rto_sum integer not null default 0,
  rto_count integer not null default 0,
  dei_sum integer not null default 0,
  dei_count integer not null default 0,
  work_life_sum integer not null default 0,
  work_life_count integer not null default 0,
  culture_sum integer not null default 0,
  culture_count integer not null default 0,
  -- Mean of the ratings' averages; 0 while there is none.
  score double precision not null
    generated always as (case when ratings > 0 then rating_sum / ratings else 0 end) stored
) with (fillfactor = 70);

create index company_stats_by_views on company_stats (views, company_id);
create index company_stats_by_threads on company_stats (threads, company_id);
create index company_stats_by_score on company_stats (score, company_id);

-- Categories as they occur, with the number of their companies.
create table categories (
  name text collate "C" primary key,
  companies integer not null default 0
);

create function companies_added() returns trigger language plpgsql as $$
begin
  insert into company_stats (company_id) select id from added;
  insert into categories (name, companies)
    select category, count(*) from added group by category order by category
    on conflict (name) do update set companies = categories.companies + excluded.companies;
  return null;
end $$;

create function companies_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from removed join added using (id) where removed.category <> added.category)
  then return null; end if;
  insert into categories (name, companies)
    select category, sum(n) from (
      select category, 1 as n from added union all select category, -1 from removed
    ) moves group by category having sum(n) <> 0 order by category
    on conflict (name) do update set companies = categories.companies + excluded.companies;
  delete from categories where companies = 0;
  return null;
end $$;

create function companies_removed() returns trigger language plpgsql as $$
begin
  update categories set companies = categories.companies - gone.n
    from (select category, count(*) as n from removed group by category) gone
    where categories.name = gone.category;
  delete from categories where companies = 0;
  return null;
end $$;

create trigger companies_added after insert on companies
  referencing new table as added for each statement execute function companies_added();
create trigger companies_changed after update on companies
  referencing old table as removed new table as added
  for each statement execute function companies_changed();
create trigger companies_removed after delete on companies
  referencing old table as removed for each statement execute function companies_removed();

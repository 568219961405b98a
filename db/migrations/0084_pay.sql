-- compatible: older programs may go on
-- What people are paid, in coarse numbers: one entry per person, company and year. No day, and nothing of an account.
create table pay_entries (
  id uuid default gen_random_uuid() not null,
  -- No reference, as the table is swapped with its copy each night.
  company_id uuid not null,
  year smallint not null check (year between 2000 and 2999),
  -- What one secret makes for one company and year.
  tag text not null collate "C",
  -- SHA-256 of the key that finds it, and of the one that removes this version.
  holder bytea not null check (length(holder) = 32),
  removal bytea not null check (length(removal) = 32),
  nth integer not null,
  -- Of the last change.
  month date not null check (extract(day from month) = 1),
  -- From here on, null once it's removed.
  title text collate "C",
  area text collate "C",
  currency text collate "C" check (currency ~ '^[A-Z]{3}$'),
  base bigint check (base >= 1000 and base % 1000 = 0),
  bonus bigint check (bonus >= 0 and bonus % 1000 = 0),
  equity bigint check (equity >= 0 and equity % 1000 = 0),
  experience text check (experience in ('0-1', '2-4', '5-9', '10-19', '20+')),
  is_verified boolean default false not null,
  merged_from uuid,
  constraint pay_entries_whole
    check (num_nonnulls(title, area, currency, base, bonus, equity, experience) in (0, 7))
);
create unique index pay_entries_by_id on pay_entries (id);
create unique index pay_entries_by_tag on pay_entries (tag);
create index pay_entries_by_holder on pay_entries (holder);
create index pay_entries_by_company on pay_entries (company_id);

-- The numbers that everyone sees, each of ten people or more.
create table pay_cells (
  -- Null across companies.
  company_id uuid,
  title text collate "C",
  area text collate "C",
  year smallint not null,
  currency text collate "C" not null,
  -- Rounded down to fives.
  entries integer not null,
  -- How many of four are verified.
  verified smallint not null check (verified between 0 and 4),
  quartiles jsonb not null,
  -- Which entries it's made of, with their numbers, so that it changes only with five people's.
  members jsonb not null,
  -- The last one in which it could change.
  quarter text collate "C" not null
);
create unique index pay_cells_by_scope
  on pay_cells (company_id, title, area, year, currency) nulls not distinct;
create index pay_cells_by_title on pay_cells (title) where company_id is null;

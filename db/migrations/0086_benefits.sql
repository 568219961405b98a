-- compatible: older programs may go on
-- What people get besides pay: one entry per person, company and year. No day, and nothing of an account.
create table benefit_entries (
  id uuid default gen_random_uuid() not null,
  -- No reference, as the table is swapped with its copy each night.
  company_id uuid not null,
  year smallint not null check (year between 2000 and 2999),
  -- What one secret makes for one company and year.
  tag text not null collate "C",
  -- SHA-256 of the key that finds it, and of the one that removes this version.
  holder_key_hash bytea not null check (length(holder_key_hash) = 32),
  removal_key_hash bytea not null check (length(removal_key_hash) = 32),
  version integer not null,
  -- Of the last change.
  month date not null check (extract(day from month) = 1),
  -- Keys of benefits. Null once it's removed.
  has text[] collate "C",
  uses text[] collate "C" check (uses <@ has),
  leave_weeks smallint check (leave_weeks between 0 and 160),
  days_off smallint check (days_off between 0 and 80),
  merged_from uuid,
  constraint benefit_entries_whole
    check (case when has is null then num_nonnulls(uses, leave_weeks, days_off) = 0 else uses is not null end)
);
create unique index benefit_entries_by_id on benefit_entries (id);
create unique index benefit_entries_by_tag on benefit_entries (tag);
create index benefit_entries_by_holder on benefit_entries (holder_key_hash);
create index benefit_entries_by_company on benefit_entries (company_id);

-- The numbers that everyone sees: shares of five people or more, medians of ten or more.
create table benefit_cells (
  company_id uuid not null,
  year smallint not null,
  kind text not null collate "C" check (kind in ('shares', 'leave', 'daysOff')),
  -- Rounded down to fives.
  entries integer not null,
  -- For each benefit, how many of four have it, and how many use it.
  shares jsonb,
  median smallint,
  -- Which entries it's made of, with their numbers, so that it changes only with five people's.
  members jsonb not null,
  -- The last one in which it could change.
  quarter text not null collate "C",
  -- From when on entries of a surge count.
  surge_until date,
  check (num_nonnulls(shares, median) = 1)
);
create unique index benefit_cells_by_scope on benefit_cells (company_id, year, kind);

-- What companies' dashboards tell. A span is one stretch of time that was over when it was counted, with
-- five people in it at least. It is written once and never changes, whatever is written, changed or
-- taken back later: every answer is made of whole spans, so no two answers differ by fewer than five.
create table dashboard_spans (
  company_id uuid not null references companies on delete cascade,
  kind text collate "C" not null check (kind in ('threads', 'comments', 'ratings', 'jobs')),
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  -- Bare sums; nobody's key.
  numbers jsonb not null,
  primary key (company_id, kind, first_day)
);

-- How far a company was counted. One row per company for which somebody acts.
create table dashboard_counts (
  company_id uuid primary key references companies on delete cascade,
  -- The Monday of the last week that was over.
  counted_week date,
  counted_on date,
  -- How many followed when the number that is told was last made; this one itself is never told.
  follower_basis integer not null default 0,
  -- As it is told: in fives, null for fewer than five.
  followers integer check (followers >= 5 and followers % 5 = 0),
  followers_since date,
  -- Since when job views and applies wait to be told, and how many there had been by then.
  jobs_since date,
  view_basis bigint not null default 0,
  apply_basis bigint not null default 0
);

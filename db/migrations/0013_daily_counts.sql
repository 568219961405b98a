-- Bare numbers, from which analytics are drawn. `day` is the first one of what is counted: a day, of
-- sign-ups the Monday of their week, of ratings the first of their month.
-- Sign-ups have no day: accounts keep their month only, and a copy of this database lists them in the
-- order in which they came, so that daily sums would date each of them. Weeks do that, too, if less
-- well; so they go after a quarter. A week with one sign-up, beside somebody's first post under a
-- username that nobody knew, would date that account to whoever reads the number: fewer than five are
-- not told. Ratings have no time finer than their month, and a number that grows while somebody
-- watches would give them one: a month is counted once, when it is over. Threads and comments can be
-- counted by anybody; clicks are listed to the minute for those who see these numbers.
create table daily_counts (
  name text collate "C" not null
    check (name in ('visitors', 'threads', 'comments', 'requests', 'clicks', 'sign-ups', 'ratings')),
  day date not null,
  n integer not null,
  primary key (name, day)
) with (fillfactor = 70);

-- Clicks on each company, of the days that are shown.
create table daily_clicks (
  company_id uuid not null references companies on delete cascade,
  day date not null,
  n integer not null,
  primary key (company_id, day)
) with (fillfactor = 70);
create index daily_clicks_by_day on daily_clicks (day);

-- Who was here on a day that is not over yet: each person sets one of 65,536 marks, chosen by a hash
-- under the key of the day. No row is anybody's, a mark is shared by 65,536 networks, and the row
-- becomes a number when the day is over.
create table visitor_marks (
  day date primary key,
  marks bit(65536) not null
);

-- outside a transaction
-- compatible: older programs may go on
-- The log of administrators: to the minute what they do, but not what is done to an ordinary account.
alter table admin_log
  add column if not exists done_at timestamptz
    check (done_at = date_trunc('minute', done_at, 'UTC')),
  -- Which company it is about. No reference: a log outlives what it is about.
  add column if not exists company_id uuid;
-- People are found by a part of their username, and listed by the month that their account keeps anyway.
create index concurrently if not exists profiles_username_alike on profiles
  using gin (username_key gin_trgm_ops) with (fastupdate = off);
create index concurrently if not exists accounts_by_month on accounts (made_in_month);
create index concurrently if not exists accounts_unconfirmed on accounts (id) where not is_email_confirmed;
create index concurrently if not exists admin_log_by_name on admin_log (admin_name, id);
create index concurrently if not exists admin_log_by_action on admin_log (action, id);
create index concurrently if not exists admin_log_by_day on admin_log (done_on, id);
create index concurrently if not exists admin_log_by_subject on admin_log using gin (subject gin_trgm_ops)
  with (fastupdate = off);

-- Who of the administrators did what. The day is enough; the number gives the order.
create table admin_log (
  id bigint generated always as identity primary key,
  -- Of one act: told twice, it is written once.
  act uuid not null unique default gen_random_uuid(),
  done_on date not null,
  -- Null for the operator at the terminal, and once the account is gone.
  admin_id uuid references accounts on delete set null,
  admin_name text not null,
  action text not null,
  -- What it was done to, in words; no address.
  subject text not null check (char_length(subject) <= 200)
);
create index admin_log_by_admin on admin_log (admin_id);

-- Those who may not come in at present, to be listed among a million who may.
create index accounts_suspended on accounts (id) where is_suspended;

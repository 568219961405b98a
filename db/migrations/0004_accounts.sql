-- People's accounts. No clock: nothing here says when somebody came, or from where.
create table accounts (
  id uuid primary key default gen_random_uuid(),
  -- A keyed hash finds the address, a sealed copy is what mails go to. The key is elsewhere.
  email_hash text collate "C" not null unique,
  email_sealed text not null,
  is_email_confirmed boolean not null default false,
  -- An address that waits for its confirmation.
  new_email_hash text collate "C",
  new_email_sealed text,
  password_hash text,
  -- Written by its person, so it decides nothing but the look of menus.
  user_metadata jsonb not null default '{}' check (pg_column_size(user_metadata) <= 8192),
  is_suspended boolean not null default false,
  made_in_month date not null check (extract(day from made_in_month) = 1)
);

create table profiles (
  account_id uuid primary key references accounts on delete cascade,
  username text not null check (char_length(username) between 3 and 24),
  username_key text collate "C" not null unique
);

-- Existence means administrator.
create table admin_users (
  id uuid primary key references accounts on delete cascade
);

-- Who may act for which company.
create table employer_claims (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  company_id uuid not null references companies on delete cascade,
  status text not null default 'pending'
    check (status in ('pending', 'approved', 'declined', 'withdrawn', 'revoked')),
  unique (account_id, company_id)
);
create index employer_claims_by_company on employer_claims (company_id);

-- A device that is signed in. The day it ends on moves rarely, so that it tells no habits; the marks
-- of the last rotations can be read only with tokens that were never stored.
create table sessions (
  id uuid primary key default gen_random_uuid(),
  account_id uuid not null references accounts on delete cascade,
  method text not null check (method in ('password', 'otp', 'recovery')),
  counter integer not null default 0,
  rotation_marks text[] not null default '{}',
  expires_on date not null
) with (fillfactor = 80);
create index sessions_by_account on sessions (account_id);
create index sessions_by_end on sessions (expires_on);

-- Links in mails, and the codes that they turn into. Only hashes; a row goes when it is used.
create table one_time_tokens (
  token_hash text collate "C" primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('signup', 'recovery', 'email_change', 'code')),
  -- How the session that a code opens says it came about.
  method text not null check (method in ('otp', 'recovery')),
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  expires_at timestamptz not null
);
create index one_time_tokens_by_account on one_time_tokens (account_id);
create index one_time_tokens_by_end on one_time_tokens (expires_at);

-- Tells a database that was made with another key, before anything is written with the wrong one.
create table key_checks (
  name text primary key,
  mark text not null
);

-- A session has no row while it lives: its tokens hold all that is known of it. An older program would sign
-- everybody out, so none goes on beside this one.

-- What has ended: keyed hashes of sessions, with the month, until none of their tokens can be good any more;
-- and of an account and a generation of its sessions, for good.
create table ended_sessions (
  mark text collate "C" primary key,
  month date check (extract(day from month) = 1)
);

-- Sessions of before, whose tokens hold less. All end on one day, and lie in no order.
create table former_sessions (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  method text not null check (method in ('password', 'otp', 'recovery')),
  counter integer not null,
  ends_on date not null
);
insert into former_sessions (id, account_id, method, counter, ends_on)
select id, account_id, method, counter, current_date + 90
  from sessions where expires_on >= current_date order by random();
create index former_sessions_by_account on former_sessions (account_id);
drop table sessions;

-- Which tokens were exchanged, as one sealed text that names nobody.
create table session_numbers (
  is_only boolean primary key default true check (is_only),
  sealed text
);

-- When a link or a code ends stands in itself now. Its row keeps a day on which it is certainly over.
create temporary table carried_tokens on commit drop as
select token_hash, account_id, kind, method, code_challenge, code_challenge_method, nth, address_hash,
       ((expires_at at time zone 'utc')::date + 1) as over_on
  from one_time_tokens;
drop table one_time_tokens;
create table one_time_tokens (
  token_hash text collate "C" primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('signup', 'recovery', 'email_change', 'code')),
  -- How the session that a code opens says it came about.
  method text not null check (method in ('otp', 'recovery')),
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  -- Of the links of one kind to one account, the last three work: this is their order.
  nth integer not null default 1,
  -- One that confirms an address confirms that one only.
  address_hash text collate "C",
  over_on date not null
);
insert into one_time_tokens
  (token_hash, account_id, kind, method, code_challenge, code_challenge_method, nth, address_hash, over_on)
select token_hash, account_id, kind, method, code_challenge, code_challenge_method, nth, address_hash, over_on
  from carried_tokens order by random();
create index one_time_tokens_by_account on one_time_tokens (account_id);

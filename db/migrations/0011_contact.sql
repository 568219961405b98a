-- What people write to those who run the site (Spec §3). Nothing says which account or browser wrote
-- it, and the hash of the address is of its own kind: it equals none among the accounts.
create table contact_messages (
  id uuid primary key default gen_random_uuid(),
  -- The order in which they came.
  number bigint generated always as identity unique,
  -- Made by the form, so that a second sending makes no second message.
  sending uuid not null unique,
  name text not null check (char_length(name) between 1 and 100),
  email_hash text collate "C" not null,
  email_sealed text not null,
  message text not null check (char_length(message) between 1 and 5000),
  status text not null default 'unread' check (status in ('unread', 'read', 'archived', 'deleted')),
  -- To the hour.
  created_at timestamptz not null check (created_at = date_trunc('hour', created_at, 'UTC')),
  -- The words stay for a while after that.
  deleted_on date check ((deleted_on is not null) = (status = 'deleted')),
  -- The words of name and text, as searchWords of the feature makes them.
  search tsvector not null
);
-- The inbox in its order, all of it and by status, whatever was deleted.
create index contact_messages_listed on contact_messages (number) where status <> 'deleted';
create index contact_messages_by_status on contact_messages (status, number);
create index contact_messages_by_address on contact_messages (email_hash);
create index contact_messages_deleted on contact_messages (deleted_on) where deleted_on is not null;
-- Without a pending list: every search would have to read through it.
create index contact_messages_search on contact_messages using gin (search)
  with (fastupdate = off);

-- What administrators answered, by mail. It goes with its message.
create table contact_answers (
  -- Made by the form, as above.
  id uuid primary key,
  number bigint generated always as identity unique,
  message_id uuid not null references contact_messages on delete cascade,
  -- As it was shown then; no account.
  administrator text not null,
  body text not null check (char_length(body) between 1 and 5000),
  day date not null,
  -- A mail server has taken it over.
  is_sent boolean not null default false
);
create index contact_answers_by_message on contact_answers (message_id, number);

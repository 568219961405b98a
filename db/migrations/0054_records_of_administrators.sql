-- outside a transaction
-- compatible: older programs may go on
-- The log of administrators: to the minute what they do, but not what is done to an ordinary account.
alter table admin_log
  add column if not exists done_at timestamptz
    check (done_at = date_trunc('minute', done_at, 'UTC')),
  -- Which company it is about. No reference: a log outlives what it is about.
  add column if not exists company_id uuid;
-- The inbox: what a message is about, who looks after it, and how it is filed.
alter table contact_messages
  -- As its sender chose.
  add column if not exists subject text not null default 'general'
    check (subject in ('general', 'legal', 'privacy', 'press')),
  -- Until when a legal notice wants its answer, to the hour. Null once it has one.
  add column if not exists answer_by timestamptz
    check (answer_by = date_trunc('hour', answer_by, 'UTC')),
  add column if not exists assignee_id uuid references accounts on delete set null,
  add column if not exists labels text[] not null default '{}' check (cardinality(labels) <= 5);
create index concurrently if not exists contact_messages_notices on contact_messages (number)
  where answer_by is not null and status in ('unread', 'read');
create index concurrently if not exists contact_messages_by_assignee on contact_messages (assignee_id, number)
  where assignee_id is not null;
create index concurrently if not exists contact_messages_by_label on contact_messages using gin (labels)
  with (fastupdate = off);

-- All labels that any message has: few, so that they can be chosen from.
create table if not exists contact_labels (
  label text collate "C" primary key check (char_length(label) between 1 and 24)
);

-- Answers that are given often, with places for what differs.
create table if not exists saved_answers (
  id uuid primary key default gen_random_uuid(),
  title text not null check (char_length(title) between 1 and 60),
  -- In lower case: two of one title could not be told apart.
  title_key text collate "C" not null unique,
  body text not null check (char_length(body) between 1 and 5000)
);

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

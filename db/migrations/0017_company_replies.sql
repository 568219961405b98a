-- What a company answers, in its own name: once below a thread about it, once below a rater's note.
-- Nothing here says who of its people wrote it.
create table company_replies (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  thread_id uuid references threads on delete cascade,
  -- No reference: the table of ratings is written anew every day. Whoever takes a note away takes this.
  note_id uuid unique,
  body text not null check (char_length(body) between 10 and 5000),
  html text not null,
  -- Of the present text, counted from one. The earlier ones lie below.
  version integer not null default 1,
  -- Minutes since 1970. Below a note the month's first minute: its own time is a month, and a finer
  -- one of its answer would narrow that down.
  first_minute integer not null,
  written_minute integer not null,
  -- A thread that is moved to another company may get that one's reply beside this, which then is not
  -- shown; it is again when the thread comes back.
  unique (thread_id, company_id),
  check (num_nonnulls(thread_id, note_id) = 1)
);
create index company_replies_by_company on company_replies (company_id);

-- Earlier texts, which everybody may read.
create table company_reply_versions (
  reply_id uuid not null references company_replies on delete cascade,
  version integer not null,
  body text not null,
  html text not null,
  written_minute integer not null,
  primary key (reply_id, version)
);

-- compatible: older programs may go on
-- Job interviews as people gave them: one per person, company and year. No day, and nothing of an account.
create table interviews (
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
  -- From here on, empty once it's removed.
  steps text[] check (cardinality(steps) > 0),
  weeks smallint check (weeks between 1 and 52),
  has_offer boolean,
  difficulty smallint check (difficulty between 1 and 5),
  feeling smallint check (feeling between 1 and 5),
  note text default '' not null check (char_length(note) <= 2000),
  note_html text default '' not null,
  merged_from uuid,
  constraint interviews_whole
    check (num_nonnulls(steps, weeks, has_offer, difficulty, feeling) in (0, 5))
);
create unique index interviews_by_id on interviews (id);
create unique index interviews_by_tag on interviews (tag);
create index interviews_by_holder_key_hash on interviews (holder_key_hash);
create index interviews_by_company on interviews (company_id);

-- What is public of them, published once a month for several people at once. All that anyone reads is made of this.
create table public_interviews (
  -- Of the row in interviews; no tag, so this table leads to no one by itself.
  id uuid not null,
  company_id uuid not null,
  year smallint not null,
  month date not null check (extract(day from month) = 1),
  steps text[] not null,
  weeks smallint not null,
  has_offer boolean not null,
  difficulty smallint not null,
  feeling smallint not null,
  note text default '' not null,
  note_html text default '' not null,
  -- At once when a moderator decides.
  note_hidden text check (note_hidden in ('held', 'removed')),
  note_hidden_reason text,
  -- As last counted.
  helpful integer default 0 not null
);
create unique index public_interviews_by_id on public_interviews (id);
create index public_interviews_by_company on public_interviews (company_id);
create index public_interviews_notes on public_interviews (company_id, month, id)
  where ((note <> '') and (note_hidden is null));

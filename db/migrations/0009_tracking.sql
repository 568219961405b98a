-- Who chose which company from a list (Spec §3). The person is a pseudonym of one day: the key that
-- it is made with is deleted with the day, so that nobody can make it again. Decision 18.
create table company_interactions (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  -- As it was called then.
  company_name text not null,
  user_id text collate "C" not null,
  interaction_type text not null default 'click' check (interaction_type = 'click'),
  -- To the minute.
  created_at timestamptz not null check (extract(second from created_at) = 0)
);
create index company_interactions_by_time on company_interactions (created_at, id);
create index company_interactions_by_company on company_interactions (company_id);

-- The key of the day, sealed; random, shared by all processes, gone the next day.
create table interaction_keys (
  day date primary key,
  key_sealed text not null
);

-- The root of each account: from it the keys are made under which its rows lie, another one in each
-- context. Sealed, as the database has no key; the first start gives one to the accounts that are there.
alter table accounts add column root_sealed text;

-- What a site kept under author keys is set aside, and carried over at its first start
-- (app/auth/carry-over.server.ts); an empty table has nothing to carry.
do $$ begin
  if not exists (select from accounts) then
    alter table accounts alter column root_sealed set not null;
  end if;
  drop index saved_threads_by_thread;
  if exists (select from saved_threads) then
    alter table saved_threads rename to saved_threads_before;
    alter index saved_threads_pkey rename to saved_threads_before_pkey;
  else
    drop table saved_threads;
  end if;
end $$;

create table saved_threads (
  -- Who saved it, as the context of this thread knows them.
  key bytea primary key check (octet_length(key) = 16),
  -- The number of the row among those of its person, as only the server can compute it.
  mine bytea not null unique check (octet_length(mine) = 16),
  thread_id uuid not null references threads on delete cascade
);
create index saved_threads_by_thread on saved_threads (thread_id);

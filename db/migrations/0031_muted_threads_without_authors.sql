-- As 0030 did with saved threads.
do $$ begin
  drop index muted_threads_by_thread;
  if exists (select from muted_threads) then
    alter table muted_threads rename to muted_threads_before;
    alter index muted_threads_pkey rename to muted_threads_before_pkey;
  else
    drop table muted_threads;
  end if;
end $$;

create table muted_threads (
  key bytea primary key check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  -- Who it is, sealed: a job that writes news must know whom to leave out.
  owner bytea not null,
  thread_id uuid not null references threads on delete cascade
);
create index muted_threads_by_thread on muted_threads (thread_id);

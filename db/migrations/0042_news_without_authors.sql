-- News is numbered anew each month, so the numbers of what was deleted need not be kept for ever.
alter table used_numbers add column until date;
create index used_numbers_until on used_numbers (until) where until is not null;
create or replace function number_used() returns trigger language plpgsql as $$ begin
  insert into used_numbers (mine, until)
  select mine, case tg_argv[0] when 'months' then date_trunc('month', now()) + interval '5 months' end
    from gone on conflict do nothing;
  return null;
end $$;
create function number_changed() returns trigger language plpgsql as $$ begin
  insert into used_numbers (mine, until)
  values (old.mine, date_trunc('month', now()) + interval '5 months') on conflict do nothing;
  return null;
end $$;

-- As 0040 did with threads.
do $$ declare each record; begin
  if exists (select from notifications) then
    for each in
      select indexrelid::regclass as index from pg_index
       where indrelid = 'notifications'::regclass
         and not exists (select from pg_constraint where conindid = indexrelid)
         and indexrelid::regclass::text <> 'notifications_by_author'
    loop
      execute format('drop index %s', each.index);
    end loop;
    for each in
      select conname from pg_constraint
       where conrelid = 'notifications'::regclass and contype in ('c', 'f', 'u')
    loop
      execute format('alter table notifications drop constraint %I', each.conname);
    end loop;
    alter index notifications_pkey rename to notifications_before_pkey;
    alter index notifications_by_author rename to notifications_before_by_author;
    alter table notifications rename to notifications_before;
  else
    drop table notifications;
  end if;
end $$;

-- News: one row per person, subject and kind, which counts on until it is read.
create table notifications (
  id uuid primary key default gen_random_uuid(),
  -- Of the person and of what it is about.
  key bytea not null unique check (octet_length(key) = 16),
  -- The number of the row among those of its person and month, as only the server can compute it.
  mine bytea not null unique check (octet_length(mine) = 16),
  kind text not null
    check (kind in ('reply', 'mention', 'company-reply', 'moderation', 'alert')),
  thread_id uuid references threads on delete cascade,
  -- The comment of that person that it is about; without one it is about the thread.
  comment_id uuid references comments on delete cascade,
  company_id uuid references companies on delete cascade,
  -- The last comment that was counted; its place tells what was counted already.
  latest_id uuid references comments on delete set null,
  latest_place integer not null default 0,
  -- Of moderation: what was done, and why. Of alerts: what of the company.
  event text,
  reason text,
  -- Of alerts: the threads or jobs that were told of, newest first. Those that are shown are the news,
  -- and each is told once. No reference: one that is gone is no news.
  thread_ids uuid[] not null default '{}' check (cardinality(thread_ids) <= 50),
  job_ids uuid[] not null default '{}' check (cardinality(job_ids) <= 50),
  count integer not null default 1,
  is_read boolean not null default false,
  is_mailed boolean not null default false,
  minute integer not null,
  constraint notifications_about
    check (case kind when 'alert' then num_nonnulls(company_id, event) = 2
                     when 'company-reply' then num_nonnulls(thread_id, company_id, reason) = 3
                     else thread_id is not null end)
) with (fillfactor = 80);
create index notifications_by_thread on notifications (thread_id);
create index notifications_by_comment on notifications (comment_id);
create index notifications_by_latest on notifications (latest_id);
create index notifications_by_minute on notifications (minute);
create index notifications_by_company on notifications (company_id) where company_id is not null;
create trigger number_used after delete on notifications
  referencing old table as gone for each statement execute function number_used('months');
create trigger number_changed after update of mine on notifications
  for each row when (old.mine is distinct from new.mine) execute function number_changed();

-- Sealed owners are opened many at once, one block each.
alter table muted_threads add check (octet_length(owner) = 16);
alter table follows add check (octet_length(owner) = 16);
alter table job_alerts add check (octet_length(owner) = 16);

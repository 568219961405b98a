-- As 0030 did with saved threads.
do $$ begin
  if exists (select from suspensions) then
    drop index suspensions_by_case;
    alter table suspensions drop constraint suspensions_case_id_fkey;
    alter table suspensions rename to suspensions_before;
    alter index suspensions_pkey rename to suspensions_before_pkey;
    alter index suspensions_by_author rename to suspensions_before_by_author;
  else
    drop table suspensions;
  end if;
end $$;

-- Who may not write for a while. Moderators see it at the one post that led to it, nowhere else.
create table suspensions (
  id uuid primary key default gen_random_uuid(),
  -- The number of the row among those of its person, as only the server can compute it.
  mine bytea not null unique check (octet_length(mine) = 16),
  case_id uuid references moderation_cases on delete set null,
  ends_on date not null,
  reason text not null
);
create index suspensions_by_case on suspensions (case_id);

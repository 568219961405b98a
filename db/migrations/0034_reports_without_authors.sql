-- As 0030 did with saved threads.
do $$ begin
  drop index reports_by_author;
  if exists (select from reports) then
    alter table reports rename to reports_before;
    alter index reports_pkey rename to reports_before_pkey;
  else
    drop table reports;
  end if;
end $$;

create table reports (
  case_id uuid not null references moderation_cases on delete cascade,
  -- Who reported, as the context of this case knows them.
  key bytea not null check (octet_length(key) = 16),
  reason text not null,
  note text not null default '',
  -- Of a member with a confirmed address: only these can hold a post.
  is_weighty boolean not null,
  -- A decision was made since.
  is_settled boolean not null default false,
  primary key (case_id, key)
);

-- As 0030 did with saved threads. Alerts must reach whoever follows, so who that is lies sealed in the row.
do $$ begin
  drop index follows_by_company;
  if exists (select from follows) then
    alter table follows rename to follows_before;
    alter index follows_pkey rename to follows_before_pkey;
  else
    drop table follows;
  end if;
end $$;

create table follows (
  key bytea primary key check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  owner bytea not null,
  company_id uuid not null references companies on delete cascade,
  threads boolean not null default true,
  ratings boolean not null default true,
  policy boolean not null default true,
  jobs boolean not null default true,
  is_paused boolean not null default false
);
create index follows_by_company on follows (company_id);

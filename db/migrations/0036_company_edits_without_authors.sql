-- As 0030 did with saved threads. A suggestion has a number of its own while it waits.
do $$ begin
  drop index company_edits_by_company, company_edits_open, company_edits_by_author;
  if exists (select from company_edits) then
    alter table company_edits rename to company_edits_before;
    alter index company_edits_pkey rename to company_edits_before_pkey;
    alter sequence company_edits_id_seq rename to company_edits_before_id_seq;
    update company_edits_before set author_key = '' where author_key is null;
    create unique index company_edits_before_order on company_edits_before (author_key, id);
  else
    drop table company_edits;
  end if;
end $$;

create table company_edits (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies on delete cascade,
  -- Per field: what stood there and what shall.
  changes jsonb not null,
  -- Why, in the words of whoever suggests it.
  reason text not null default '' check (char_length(reason) <= 500),
  status text not null check (status in ('suggested', 'applied', 'declined', 'reverted')),
  made_on date not null,
  -- Who suggested it, as the context of the company knows them; an administrator's change has none.
  key bytea check (octet_length(key) = 16),
  mine bytea unique check (octet_length(mine) = 16),
  decided_by uuid references accounts on delete set null,
  decided_name text,
  check (mine is null or status = 'suggested')
);
create index company_edits_by_company on company_edits (company_id, id);
create index company_edits_open on company_edits (id) where status = 'suggested';

do $$ begin
  if to_regclass('company_edits_before') is not null then
    perform setval('company_edits_id_seq', (select max(id) from company_edits_before));
  end if;
end $$;

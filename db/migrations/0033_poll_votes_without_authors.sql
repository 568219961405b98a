-- As 0030 did with saved threads.
do $$ begin
  drop index poll_votes_held;
  if exists (select from poll_votes) then
    alter table poll_votes rename to poll_votes_before;
    alter index poll_votes_pkey rename to poll_votes_before_pkey;
  else
    drop table poll_votes;
  end if;
end $$;

create table poll_votes (
  thread_id uuid not null,
  -- Who it is, as the context of this poll knows them.
  key bytea primary key check (octet_length(key) = 16),
  place smallint not null,
  is_held boolean not null default false,
  foreign key (thread_id, place) references poll_options on delete cascade
);
create index poll_votes_by_option on poll_votes (thread_id, place);
create index poll_votes_held on poll_votes (thread_id) where is_held;

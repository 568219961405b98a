-- As 0030 did with saved threads.
do $$ begin
  drop index rating_votes_by_author;
  if exists (select from rating_votes) then
    alter table rating_votes rename to rating_votes_before;
    alter index rating_votes_pkey rename to rating_votes_before_pkey;
  else
    drop table rating_votes;
  end if;
end $$;

create table rating_votes (
  rating_id uuid not null,
  -- Who it is, as the context of the company knows them.
  key bytea not null check (octet_length(key) = 16),
  -- In the night, so that nobody can tell when somebody voted.
  is_counted boolean not null default false,
  primary key (rating_id, key)
);
create index rating_votes_by_key on rating_votes (key);

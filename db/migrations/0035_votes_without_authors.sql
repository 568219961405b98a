-- As 0030 did with saved threads.
do $$ begin
  drop index votes_by_author, votes_held;
  if exists (select from votes) then
    alter table votes rename to votes_before;
    alter index votes_pkey rename to votes_before_pkey;
  else
    drop table votes;
  end if;
end $$;

create table votes (
  subject_id uuid not null,
  -- Who it is, as the context of the thread knows them: it finds one's own votes there.
  key bytea not null check (octet_length(key) = 16),
  value smallint not null check (value in (-1, 1)),
  -- held: many came at once, and a moderator decides whether they count.
  state text not null default 'proven' check (state in ('proven', 'unproven', 'held')),
  primary key (subject_id, key)
);
create index votes_by_key on votes (key);
create index votes_held on votes (subject_id) where state = 'held';

-- compatible: older programs may go on
-- So that no recorded entry to a room is repeated. Emptied at night.
create table used_challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  day date not null
);
create index used_challenges_by_day on used_challenges (day);

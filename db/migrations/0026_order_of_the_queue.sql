-- compatible: older programs may go on
-- The order of the cases of one day: of those with as many reports the longest waiting comes first. No time
-- is kept, and an id says nothing of age.
alter table moderation_cases add column opened_nth integer not null default 0;

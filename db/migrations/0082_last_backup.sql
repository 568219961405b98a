-- When the last backup by command was complete and how large it is, and whether administrators heard that it's old.
alter table owner_steps drop constraint owner_steps_check;
alter table owner_steps alter column day type timestamptz using day::timestamp at time zone 'UTC';
alter table owner_steps rename column day to finished_at;
alter table owner_steps
  add column bytes bigint,
  add column is_mailed boolean default false not null,
  add constraint owner_steps_check check ((finished_at is not null) = (name = 'backup'));

-- A post of a room has its month, as a rating has: a day would say when its writer was here. An older program asks
-- for the day, so none goes on beside this one.
alter table room_posts
  add column month date,
  -- Written since the last night.
  add column is_new boolean not null default true;
update room_posts set month = date_trunc('month', written_on), is_new = false;
alter table room_posts
  alter column month set not null,
  drop column written_on;

-- Existence means moderator: decides about posts, and about nothing else. No day, as with all roles.
create table moderators (
  id uuid primary key references accounts on delete cascade,
  -- Gets a mail each day on which something waits.
  is_told boolean not null default true
);

alter table admin_users add column is_told boolean not null default true;

-- What the owner said is done, or seen to in another way, and the day of the last backup by command.
create table owner_steps (
  name text primary key check (name in ('backup', 'backup-otherwise', 'rules', 'put-away')),
  day date check ((day is not null) = (name = 'backup'))
);

-- Made-up companies are looked for each time that the owner's list is open.
create index companies_demo on companies (id) where demo;

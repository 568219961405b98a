-- Existence means moderator: decides about posts, and about nothing else. No day, as with all roles.
create table moderators (
  id uuid primary key references accounts on delete cascade,
  -- Gets a mail each day on which something waits.
  is_told boolean not null default true
);

alter table admin_users add column is_told boolean not null default true;

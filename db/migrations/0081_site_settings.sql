-- compatible: older programs may go on
-- What administrators set in the panel. Without a row, the site uses its own text or number.
create table site_settings (
  name text collate "C" primary key,
  value text not null,
  changed_on date not null
);

-- Links that each let one person sign up. A used or revoked one has no row, so nothing ties an account to it.
create table sign_up_invitations (
  id uuid default gen_random_uuid() primary key,
  code_hash text collate "C" not null unique,
  -- The code's first letters, so that administrators can tell links apart.
  start text not null,
  made_on date not null
);

-- What a setting was, and what it became.
alter table admin_log add column before text, add column after text;

-- The owner's list of steps asks about addresses and legal pages, too.
alter table owner_steps drop constraint owner_steps_name_check,
  add constraint owner_steps_name_check
  check (name in ('backup', 'backup-otherwise', 'mailboxes', 'terms', 'rules', 'put-away'));

-- Texts that moderators keep for decisions, with placeholders.
create table ruling_templates (
  id uuid primary key default gen_random_uuid(),
  name text not null,
  body text not null
);
create unique index ruling_templates_by_name on ruling_templates (lower(name));

-- What new posts are looked through for: words, or the host of a link.
create table watched_words (
  id uuid primary key default gen_random_uuid(),
  -- As it was typed, and as it is compared.
  entry text not null,
  folded text collate "C" not null unique,
  is_domain boolean not null
);

alter table moderation_cases
  -- The entries that held it, for its moderators to read.
  add column watched text,
  drop constraint moderation_cases_cause_check,
  add constraint moderation_cases_cause_check
    check (cause in ('reports', 'burst', 'moderator', 'votes', 'watched', 'first'));

-- How often something may be done, where whoever runs the site chose another number than ours.
create table chosen_limits (
  name text collate "C" primary key,
  uses integer not null check (uses > 0)
);

-- From when on the first posts of somebody wait, and how many; without a row none do. It says nothing of anybody.
create table first_posts_rule (
  is_only boolean primary key default true check (is_only),
  posts smallint not null check (posts > 0),
  since_minute integer not null
);

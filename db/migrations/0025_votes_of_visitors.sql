-- Whose votes cost nothing count apart: visitors' and those of members with an unconfirmed address.
-- They are shown, but give no cred, and weigh little in the order of lists.
alter table votes
  -- held: many came at once, and a moderator decides whether they count.
  add column state text not null default 'proven' check (state in ('proven', 'unproven', 'held'));
create index votes_held on votes (subject_id) where state = 'held';
-- `score` stays what lists are ordered by: it holds of this sum so much as is weighed.
alter table threads add column visitor_score integer not null default 0;
alter table comments add column visitor_score integer not null default 0;

alter table poll_votes add column is_held boolean not null default false;
create index poll_votes_held on poll_votes (thread_id) where is_held;

alter table moderation_cases
  drop constraint moderation_cases_cause_check,
  add constraint moderation_cases_cause_check
    check (cause in ('reports', 'burst', 'moderator', 'votes'));

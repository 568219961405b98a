-- Jobs and replies of companies can be reported as posts are, and hidden by moderators.
alter table job_postings
  add column hidden text check (hidden in ('held', 'removed')),
  add column hidden_reason text,
  -- Where it stood. While it is hidden its status is filled, so that no list and no index holds it.
  add column status_before text collate "C" check (status_before in ('open', 'filled', 'expired'));
create index jobs_hidden on job_postings (company_id) where hidden is not null;
alter table company_replies
  add column hidden text check (hidden in ('held', 'removed')),
  add column hidden_reason text;
create index company_replies_hidden on company_replies (company_id) where hidden is not null;

alter table moderation_cases
  add column job_id uuid unique references job_postings on delete cascade,
  add column reply_id uuid unique references company_replies on delete cascade,
  drop constraint moderation_cases_check,
  add constraint moderation_cases_check
    check (num_nonnulls(thread_id, comment_id, note_id, job_id, reply_id) = 1);
alter table moderation_log
  -- May be gone since: no references.
  add column job_id uuid,
  add column reply_id uuid;
create index moderation_log_by_job on moderation_log (job_id, id) where job_id is not null;
create index moderation_log_by_reply on moderation_log (reply_id, id) where reply_id is not null;
alter table removal_counts
  add column jobs integer not null default 0,
  add column replies integer not null default 0;

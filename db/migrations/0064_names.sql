-- The field's names for what had ours, and nothing that only older programs read. The last migration before one
-- schema takes the place of all of them (D66).

alter table threads rename column sending to idempotency_key;
alter table comments rename column sending to idempotency_key;
alter table job_postings rename column sending to idempotency_key;
alter table deleted_jobs rename column sending to idempotency_key;
alter table contact_messages rename column sending to idempotency_key;
alter table threads rename constraint threads_sending_key to threads_idempotency_key_key;
alter table comments rename constraint comments_sending_key to comments_idempotency_key_key;
alter table job_postings rename constraint job_postings_sending_key to job_postings_idempotency_key_key;
alter table contact_messages rename constraint contact_messages_sending_key to contact_messages_idempotency_key_key;

alter table admin_users rename column is_told to wants_mail;
alter table moderators rename column is_told to wants_mail;
alter table company_requests rename column is_told to is_notified;
alter table public_ratings rename column is_told to is_announced;
alter table company_stats rename column told_score to announced_score;
alter table company_news rename column told_until to announced_until;

alter table departed rename to deleted_accounts;
alter table deleted_accounts rename constraint departed_pkey to deleted_accounts_pkey;
alter table session_numbers rename to refresh_token_replays;
alter table refresh_token_replays rename constraint session_numbers_pkey to refresh_token_replays_pkey;
alter table refresh_token_replays
  rename constraint session_numbers_is_only_check to refresh_token_replays_is_only_check;
alter trigger job_entered_anew on job_postings rename to job_entry_replaced;

-- Since migration 62 the comments that a notification counts stand in it.
alter table notifications drop column latest_id;
-- Sessions from before migration 43 had 90 days to come back.
drop table former_sessions;

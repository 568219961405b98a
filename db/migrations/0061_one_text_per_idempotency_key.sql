-- compatible: older programs may go on
-- One idempotency key is one text: what a form said when it was sent, hashed. The hash is keyed by the form's own
-- idempotency key, which is not kept, so nobody can try out guesses of a text that was changed since. Null for what
-- was posted before.
alter table threads add column sent_hash bytea check (octet_length(sent_hash) = 16);
alter table comments add column sent_hash bytea check (octet_length(sent_hash) = 16);
alter table job_postings add column sent_hash bytea check (octet_length(sent_hash) = 16);
-- Of a room's post it is keyed by the proven tag, which is not kept either.
alter table room_posts add column sent_hash bytea check (octet_length(sent_hash) = 16);

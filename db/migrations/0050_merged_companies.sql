-- compatible: older programs may go on
-- Companies that became part of another one. Their ids lead there for ever: what people gave them lies
-- under keys that are made with those ids.
create table company_merges (
  -- The company that is no more; nothing may reference it.
  id uuid primary key,
  -- Where it is found now, however often that one was merged since.
  company_id uuid not null references companies on delete cascade,
  -- The one that it was merged into.
  into_id uuid not null,
  name text not null,
  -- The entry in that one's history.
  edit_id bigint not null,
  -- A whole minute. Null where it is too late, as is what only the former company had.
  undo_until timestamptz check (extract(second from undo_until) = 0),
  kept jsonb,
  check ((undo_until is null) = (kept is null))
);
create index company_merges_by_company on company_merges (company_id);
create index company_merges_undoable on company_merges (undo_until) where undo_until is not null;

-- Of which company a row was before that one became part of its company: it goes back when that is undone,
-- and of a rating it is the one that its tag is made with. No references: that company is no more.
alter table threads add column merged_from uuid;
alter table job_postings add column merged_from uuid;
alter table deleted_jobs add column merged_from uuid;
alter table company_replies add column merged_from uuid;
alter table company_requests add column merged_from uuid;
alter table company_edits add column merged_from uuid;
alter table company_policies add column merged_from uuid;
alter table company_old_slugs add column merged_from uuid;
alter table company_interactions add column merged_from uuid;
alter table follows add column merged_from uuid;
alter table job_alerts add column merged_from uuid;
alter table notifications add column merged_from uuid;
alter table ratings add column merged_from uuid;
alter table employer_claims
  add column merged_from uuid,
  -- Where the same person acted for both: the one whose claim is back when that is undone.
  add column merged_twin uuid;

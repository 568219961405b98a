-- compatible: older programs may go on
-- Why work was given up, in a word and a day, for those who look after the site.
alter table job_queue
  add column given_up text check (char_length(given_up) between 1 and 40),
  add column given_up_on date,
  -- When work of the house was last done, at first when it became known. Of what follows from what
  -- somebody did, no such time is kept.
  add column done_at timestamptz check (recurs or done_at is null);
update job_queue set done_at = now() where recurs;

-- Of the links of one kind to one account, the last three work: this is their order. One that confirms
-- an address confirms that one only, which may be another than the one that is waited for meanwhile.
alter table one_time_tokens
  add column nth integer not null default 1,
  add column address_hash text collate "C";

-- The same of a claim: the hashes of the links before the last one.
alter table employer_claims
  add column former_link_hashes text[] collate "C" not null default '{}';

-- One row that is written every few seconds: shows that writing works, and since when it does not.
create table last_write (
  is_only boolean primary key default true check (is_only),
  at timestamptz not null
);

-- compatible: older programs may go on
-- A thread in slow mode takes one comment of a person in so many minutes. When somebody wrote is looked up
-- among the thread's comments, which hold their minute anyway: nothing is kept for it.
alter table threads
  add column slow_minutes smallint check (slow_minutes > 0),
  -- Why it is locked, for readers.
  add column lock_note text;

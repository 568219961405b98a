-- compatible: older programs may go on
-- Counts the changes of a rating, so that no recorded request brings an earlier one back.
alter table ratings add column nth integer not null default 0 check (nth between 0 and 1000000);

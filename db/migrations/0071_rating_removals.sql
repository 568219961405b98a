-- compatible: older programs may go on
-- The hash of a key that removes only this version of a rating, so that a recorded removal doesn't remove a later one.
alter table ratings add column removal bytea check (length(removal) = 32);

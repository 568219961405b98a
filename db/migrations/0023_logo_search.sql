-- compatible: older programs may go on
-- How far the search for the logos of companies that have none has come: one row.
create table logo_search (
  is_only boolean primary key default true check (is_only),
  -- The company that was looked at last, in the order of their ids.
  after uuid not null,
  began_on date not null,
  is_over boolean not null
);

-- How far the values that are sealed for their row and column have come, of each column. An older program
-- cannot read them, so none goes on beside this one.
create table sealed_columns (
  name text collate "C" primary key,
  -- The last row that was looked at, in the order of the column's table; null before the first.
  after text collate "C",
  is_over boolean not null default false
);

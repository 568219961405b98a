-- compatible: older programs may go on
-- Whether a row of a list is the company that it looks like, as administrators decided. The next list doesn't ask again.
create table import_decisions (
  -- The row's, folded like companies.name_key.
  name text not null collate "C",
  -- Its website's host, or nothing.
  site text not null collate "C",
  -- No reference, because a merged company's id leads to where it is now.
  company_id uuid not null,
  is_same boolean not null,
  primary key (name, site, company_id)
);

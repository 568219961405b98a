-- compatible: older programs may go on
-- The import that made a change, so that undoing the import puts it back.
alter table company_edits add column import_id uuid references company_imports on delete set null;
create index company_edits_by_import on company_edits (import_id, company_id) where import_id is not null;

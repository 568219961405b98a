-- Companies that come in files.

-- The host of a website without "www.": what tells that two rows are one company, when their names
-- do not. As siteOf of the importer says it, for what is ASCII.
create function company_site(website text) returns text
  language sql immutable strict parallel safe
  return substring(lower(website collate "C") from '^https?://(?:www\.)?([^/?#:]+)');

create index companies_by_site on companies (company_site(website) collate "C")
  where website is not null;

-- How far the file of this content was read: an import that was interrupted goes on there.
create table imports (
  -- SHA-256 of the file.
  hash text collate "C" primary key,
  rows_done integer not null default 0,
  added integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  is_finished boolean not null default false
);

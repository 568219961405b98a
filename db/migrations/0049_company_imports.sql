-- outside a transaction
-- compatible: older programs may go on
-- Who imported what, so that it can be undone while nobody wrote about its companies.
create table if not exists company_imports (
  id uuid primary key,
  -- The order in which they began.
  number bigint generated always as identity unique,
  done_on date not null,
  -- As the log of the administrators has it.
  admin_name text not null,
  -- The name of a file, or what else it came from.
  source text not null check (char_length(source) between 1 and 200),
  added integer not null default 0,
  skipped integer not null default 0,
  failed integer not null default 0,
  undone_on date
);

create table if not exists imported_companies (
  company_id uuid primary key references companies on delete cascade,
  import_id uuid not null references company_imports on delete cascade
);
create index concurrently if not exists imported_companies_by_import on imported_companies (import_id);

-- Which category of the site a sector of a list was put into: proposed when it comes again.
create table if not exists import_categories (
  -- Without accents, signs and capitals: category-mapping.ts.
  given text collate "C" primary key check (char_length(given) between 1 and 120),
  category text not null check (char_length(category) between 1 and 60)
);

-- Lists name companies by what their shares are called, which few have here.
create index concurrently if not exists companies_by_ticker on companies (ticker) where ticker is not null;

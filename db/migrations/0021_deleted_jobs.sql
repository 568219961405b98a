-- Marks of jobs that were deleted: the feed they came from is read again each night, and brings none back.
create table deleted_jobs (
  sending text collate "C" primary key,
  company_id uuid not null references companies on delete cascade
);
create index deleted_jobs_of_company on deleted_jobs (company_id);

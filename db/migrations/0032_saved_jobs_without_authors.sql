-- As 0030 did with saved threads.
do $$ begin
  drop index saved_jobs_by_job;
  if exists (select from saved_jobs) then
    alter table saved_jobs rename to saved_jobs_before;
    alter index saved_jobs_pkey rename to saved_jobs_before_pkey;
    -- One's own keep their order.
    create unique index saved_jobs_before_order on saved_jobs_before (author_key, number);
  else
    drop table saved_jobs;
  end if;
end $$;

create table saved_jobs (
  key bytea primary key check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  job_id uuid not null references job_postings on delete cascade
);
create index saved_jobs_by_job on saved_jobs (job_id);

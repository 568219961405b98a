-- Mails to those who act for a company, once a day: how many threads and notes about it are new. Decision 61.
alter table employer_claims add column wants_news boolean not null default true;

-- Whether a note was told of, or was there before anybody wanted to know.
alter table public_ratings add column is_told boolean not null default true;
alter table public_ratings alter column is_told set default false;

-- Up to which minute, of the site's own run, threads of a company were told of.
create table company_news (
  company_id uuid primary key references companies on delete cascade,
  told_until integer not null
);

-- For what a job is reported, as its company is told: written at night, so that nobody learns when somebody
-- reported.
alter table job_postings add column reported_for text[] not null default '{}';

-- Feeds of other sites give salaries by the day and the week, too.
alter table job_postings drop constraint job_postings_salary_period_check;
alter table job_postings add constraint job_postings_salary_period_check
  check (salary_period in ('year', 'month', 'week', 'day', 'hour'));

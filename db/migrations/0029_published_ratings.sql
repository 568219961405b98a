-- What counts of ratings is published once a day, several people's together (decision 0039). `ratings` says
-- what people gave and is nobody's to read; every number, note and file is made of `public_ratings`.
create table public_ratings (
  -- That of the row in ratings; no tag, so that this table leads to nobody by itself.
  id uuid not null,
  -- No reference: the table changes places with its copy every night, and would hold up all companies for
  -- that. Whoever rates and publishes holds the company, and whoever deletes one takes its ratings first.
  company_id uuid not null,
  month date not null check (extract(day from month) = 1),
  rto smallint check (rto between 1 and 5),
  dei smallint check (dei between 1 and 5),
  work_life smallint check (work_life between 1 and 5),
  culture smallint check (culture between 1 and 5),
  office_days smallint check (office_days between 0 and 5),
  relation text check (relation in ('current', 'former', 'candidate')),
  era text check (era in ('2023', '2020', '2015', 'earlier')),
  note text not null default '' check (char_length(note) <= 2000),
  note_html text not null default '',
  -- At once, whenever a moderator decides.
  note_hidden text check (note_hidden in ('held', 'removed')),
  note_hidden_reason text,
  -- How many found the note helpful when it was last counted.
  helpful integer not null default 0,
  check (num_nonnulls(rto, dei, work_life, culture) > 0)
);

-- What was given by now is public already.
insert into public_ratings
select id, company_id, month, rto, dei, work_life, culture, office_days, relation, era, note, note_html,
       note_hidden, note_hidden_reason, helpful
  from ratings order by company_id, gen_random_uuid();

create unique index public_ratings_by_id on public_ratings (id);
create index public_ratings_by_company on public_ratings (company_id);
create index public_ratings_notes on public_ratings (company_id, month, id)
  where note <> '' and note_hidden is null;
create index public_ratings_hidden on public_ratings (company_id) where note_hidden is not null;

-- A row without stars is a rating that was taken back: it waits until what is public follows.
drop index ratings_notes, ratings_hidden;
alter table ratings
  drop constraint if exists ratings_company_id_fkey,
  -- What the nightly copy of before called it.
  drop constraint if exists ratings_company,
  drop constraint ratings_check,
  drop column note_hidden,
  drop column note_hidden_reason,
  drop column helpful;

-- Votes on notes are counted in the night, so that nobody can tell when somebody voted.
alter table rating_votes add column is_counted boolean not null default false;
update rating_votes set is_counted = true;

-- Numbers follow whole batches now, not single stars.
drop function add_stars;
create function sum_of_stars(one integer[], other integer[]) returns integer[]
  language sql immutable parallel safe
  return array[one[1] + other[1], one[2] + other[2], one[3] + other[3], one[4] + other[4],
               one[5] + other[5]];

-- The nightly run: until which night everything is done, and what of the present one.
create table nightly_run (
  is_only boolean primary key default true check (is_only),
  done_until date,
  night date,
  steps text[] not null default '{}',
  -- Whose run it is: who lost it stops before the next step.
  holder uuid
);

-- Which rows changed while a table is written anew: its argument is the statement that notes one.
drop function rating_changed cascade;
create function row_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then execute tg_argv[0] using old; end if;
  if tg_op <> 'DELETE' then execute tg_argv[0] using new; end if;
  return null;
end $$;

-- What came round by itself before is a step of that run.
delete from job_queue where kind in ('shuffle-ratings', 'refresh-surges');

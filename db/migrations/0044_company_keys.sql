-- Companies are found by keys that lie in the order of an index. See docs/decisions/0042.

drop index companies_by_gram;
drop function company_grams(text);
drop index companies_by_name;
create index companies_by_name on companies (name_key, id);
alter table companies drop column search_text;

-- Other names that people know a company by.
alter table companies add column aliases text[] not null default '{}' check (cardinality(aliases) <= 10);

-- What a company is found by, made in company-keys.ts: names without spaces and signs.
create table company_keys (
  company_id uuid not null references companies on delete cascade,
  key text collate "C" not null check (octet_length(key) between 1 and 1000),
  -- 0 a whole name, 1 a name from a later word on, 2 initials, 3 the category, and the name behind it
  kind smallint not null check (kind between 0 and 3),
  -- How much is said about the company, as company_fame has it.
  fame smallint not null,
  primary key (kind, fame, key, company_id)
);
create index company_keys_by_company on company_keys (company_id);
create index company_keys_by_key on company_keys (key) where kind <= 1;
-- Every search reads what is pending, so that is kept short.
create index company_keys_by_trigram on company_keys using gin (key gin_trgm_ops)
  with (gin_pending_list_limit = 256) where kind = 0;

-- In which class of fame a company is: the next one begins where twice as much is said. Exact, as a
-- logarithm is not: the number of binary digits.
create function company_fame(threads integer, comments integer, ratings integer) returns smallint
  language sql immutable parallel safe
  return least(20, length(ltrim((1 + greatest(0, $1 + $2 + $3))::bit(32)::text, '0')) - 1);

create function company_fame_changed() returns trigger language plpgsql as $$ begin
  update company_keys set fame = company_fame(new.threads, new.comments, new.ratings)
   where company_id = new.company_id;
  return null;
end $$;
create trigger company_fame_changed after update of threads, comments, ratings on company_stats
  for each row when (company_fame(old.threads, old.comments, old.ratings)
                     <> company_fame(new.threads, new.comments, new.ratings))
  execute function company_fame_changed();

-- The words of a description, without accents. Dear, so that no plan works them out row by row.
create function company_words(text) returns tsvector
  language sql immutable strict parallel safe cost 1000
  return to_tsvector('pg_catalog.english'::regconfig,
                     regexp_replace(normalize($1, NFKD), '[\u0300-\u036f]+', '', 'g'));
create index companies_by_words on companies using gin (company_words(description))
  with (gin_pending_list_limit = 256);
-- Statistics of words would make ANALYZE slow, and lead to worse plans.
alter index companies_by_words alter column 1 set statistics 0;

-- Keys are made by the program, so those of companies that are there already are made in portions.
create table companies_without_keys (company_id uuid primary key);
insert into companies_without_keys select id from companies;

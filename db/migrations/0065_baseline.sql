-- replaces the migrations up to 0064_names.sql
-- The whole schema: the migrations before it, as one. D66.

create extension pg_trgm;
create extension unaccent;

-- Every word, "it" and "not" as well; and without those that say nothing, as most searches are read.
create text search dictionary english_stems (template = snowball, language = english);
create text search configuration every_word (copy = english);
alter text search configuration every_word
  alter mapping for asciiword, asciihword, hword_asciipart, word, hword, hword_part
  with unaccent, english_stems;
alter text search configuration every_word
  alter mapping for numword, numhword, hword_numpart with unaccent, simple;
create text search configuration telling_words (copy = every_word);
alter text search configuration telling_words
  alter mapping for asciiword, asciihword, hword_asciipart, word, hword, hword_part
  with unaccent, english_stem;

-- Menus are an employer's while a claim is approved, however the last one goes: revoked, left, or with its company.
create function approved_claim_gone() returns trigger language plpgsql as $$
begin
  if old.status = 'approved' then
    update accounts set user_metadata = user_metadata - 'user_type'
     where id = old.account_id and user_metadata ? 'user_type'
       and not exists (select from employer_claims
                        where account_id = old.account_id and status = 'approved');
  end if;
  return null;
end $$;

create function companies_added() returns trigger language plpgsql as $$
begin
  insert into company_stats (company_id) select id from added;
  insert into categories (name, companies)
    select category, count(*) from added group by category order by category
    on conflict (name) do update set companies = categories.companies + excluded.companies;
  return null;
end $$;

create function companies_changed() returns trigger language plpgsql as $$
begin
  if not exists (select from removed join added using (id) where removed.category <> added.category)
  then return null; end if;
  insert into categories (name, companies)
    select category, sum(n) from (
      select category, 1 as n from added union all select category, -1 from removed
    ) moves group by category having sum(n) <> 0 order by category
    on conflict (name) do update set companies = categories.companies + excluded.companies;
  delete from categories where companies = 0;
  return null;
end $$;

create function companies_removed() returns trigger language plpgsql as $$
begin
  update categories set companies = categories.companies - gone.n
    from (select category, count(*) as n from removed group by category) gone
    where categories.name = gone.category;
  delete from categories where companies = 0;
  return null;
end $$;

-- Each class of fame begins where twice as much is said. The number of binary digits is exact; a logarithm isn't.
create function company_fame(threads integer, comments integer, ratings integer) returns smallint
  language sql immutable parallel safe
  return least(20, length(ltrim((1 + greatest(0, $1 + $2 + $3))::bit(32)::text, '0')) - 1);

create function company_fame_changed() returns trigger language plpgsql as $$ begin
  update company_keys set fame = company_fame(new.threads, new.comments, new.ratings)
   where company_id = new.company_id;
  return null;
end $$;

create function company_renamed_in_jobs() returns trigger language plpgsql as $$
begin
  update job_postings set company_name = new.name where company_id = new.id;
  return null;
end $$;

-- The host of a website without "www.": two rows with the same one are one company. The same as siteOf in the
-- importer, for ASCII.
create function company_site(website text) returns text
  language sql immutable strict parallel safe
  return substring(lower(website collate "C") from '^https?://(?:www\.)?([^/?#:]+)');

-- Of a company's id or a topic. Two may share a key, so a query compares the thread as well.
create function facet_key(facet text) returns integer
  language sql immutable strict parallel safe
  return ('x' || substr(md5(facet), 1, 7))::bit(28)::integer * 4 + 3;

create function job_entered() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from job_entries where job_id = new.id;
  end if;
  if new.status = 'open' then
    insert into job_entries (key, remote_policy, employment_type, posted_day, salary_worth, job_id,
                             salary_currency, yearly_maximum, valid_through)
    select key, new.remote_policy, new.employment_type, new.posted_date - date '1970-01-01',
           new.salary_worth, new.id, new.salary_currency, new.yearly_maximum, new.valid_through
      from unnest(array['*', 'c:' || new.salary_currency] || new.place_keys
             || array(select place || ' c:' || new.salary_currency
                        from unnest(new.place_keys) place)) key;
  end if;
  return null;
end $$;

-- What a job is found by beside its words:
-- - where and how: "p:berlin", "remote", "full-time k:DE", "remote full-time b:berlin:DE"; what is
--   filtered together is one facet, because to meet several common ones takes long,
-- - its currency (c:EUR), and each rung of a ladder that its pay reaches (c:EUR:50: fifty thousand
--   dollars' worth), so that "at least" is one facet, too,
-- - its slots in the orders of lists: by day (D:20000) and sixteenth of a day's ids (d:320007), and by
--   salary, sixty-four to a doubling (w:1081).
-- PL/pgSQL keeps its plans, which makes it ten times as quick as SQL here.
create function job_facets(
  id uuid, posted_date date, remote_policy text, employment_type text, place_keys text[],
  salary_currency text, salary_worth integer
) returns text[]
  language plpgsql immutable parallel safe as $$
declare
  kind text := remote_policy || ' ' || employment_type;
  facets text[] := array[remote_policy, employment_type, kind] || place_keys;
  place text;
  rung integer;
  day integer := posted_date - date '1970-01-01';
begin
  foreach place in array place_keys loop
    facets := facets || array[
      remote_policy || ' ' || place, employment_type || ' ' || place, kind || ' ' || place];
  end loop;
  facets := facets || ('c:' || salary_currency);
  foreach rung in array
    '{20, 30, 40, 50, 60, 80, 100, 125, 150, 200, 250, 300, 400, 500, 700, 1000}'::integer[]
  loop
    exit when rung * 1000 > salary_worth;
    facets := facets || ('c:' || salary_currency || ':' || rung);
  end loop;
  return facets || array[
    'D:' || day,
    'd:' || day * 16 + get_byte(uuid_send(id), 0) / 16,
    'w:' || floor(64 * ln(least(greatest(salary_worth, 16384), 1048576)::double precision)
                  / ln(2::double precision))::integer];
end $$;

-- PostgreSQL cannot know that texts become text the same way in every session.
create function job_words(words text[]) returns text
  language sql immutable strict parallel safe
  return array_to_string(words, ' ');

create function number_changed() returns trigger language plpgsql as $$ begin
  insert into used_numbers (mine, until)
  values (old.mine, date_trunc('month', now()) + interval '5 months') on conflict do nothing;
  return null;
end $$;

create function number_used() returns trigger language plpgsql as $$ begin
  insert into used_numbers (mine, until)
  select mine, case tg_argv[0] when 'months' then date_trunc('month', now()) + interval '5 months' end
    from gone on conflict do nothing;
  return null;
end $$;

-- When an owner goes, the one who was offered the ownership has it, or the one who's been here longest.
create function owner_gone() returns trigger language plpgsql as $$
begin
  update employer_claims set is_owner = true, is_offered = false
   where id = (select id from employer_claims
                where company_id = old.company_id and status = 'approved'
                order by is_offered desc, number limit 1)
     and not exists (select from employer_claims where company_id = old.company_id and is_owner);
  return null;
end $$;

-- Days are 4 n, weeks 4 n + 1, quarters 4 n + 2; what a thread is about is 4 n + 3. Not "strict": so each
-- comment has them without a call.
create function post_windows(minute integer) returns integer[]
  language sql immutable parallel safe
  return array[minute / 1440 * 4, minute / 10080 * 4 + 1, minute / 131040 * 4 + 2];

create function row_changed() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then execute tg_argv[0] using old; end if;
  if tg_op <> 'DELETE' then execute tg_argv[0] using new; end if;
  return null;
end $$;

-- What a search asks for. Small words count where there is nothing else.
create function searched_words(text) returns tsquery
  language plpgsql immutable strict parallel safe as $$
declare
  folded text := words_folded($1);
  joined text := words_apart(words_joined(folded));
  said regconfig := 'telling_words';
  words tsquery;
begin
  folded := words_apart(folded);
  words := websearch_to_tsquery(said, folded);
  if querytree(words) in ('', 'T') then
    said := 'every_word';
    words := websearch_to_tsquery(said, folded);
  end if;
  -- What is to be missing would be found by the other way of writing.
  if joined = folded or words::text like '%!%' then return words; end if;
  return words || websearch_to_tsquery(said, joined);
end $$;

-- The first to act for a company owns its seats, and one who stops owns nothing, wherever the claim comes from: an
-- approval, or a merge of two companies.
create function seat_of_claim() returns trigger language plpgsql as $$
begin
  if new.status <> 'approved' then
    new.is_owner := false;
    new.is_offered := false;
  elsif tg_op = 'INSERT' or old.status <> 'approved' or old.company_id <> new.company_id then
    new.is_owner := not exists (select from employer_claims
                                 where company_id = new.company_id and is_owner and id <> new.id);
    new.is_offered := false;
  end if;
  return new;
end $$;

create function star_count(counts integer[]) returns bigint language sql immutable parallel safe
  return counts[1] + counts[2] + counts[3] + counts[4] + counts[5]::bigint;

-- A category's stars in all, and how often it was rated.
create function star_sum(counts integer[]) returns bigint language sql immutable parallel safe
  return counts[1] + 2 * counts[2] + 3 * counts[3] + 4 * counts[4] + 5::bigint * counts[5];

create function sum_of_stars(one integer[], other integer[]) returns integer[]
  language sql immutable parallel safe
  return array[one[1] + other[1], one[2] + other[2], one[3] + other[3], one[4] + other[4],
               one[5] + other[5]];

-- A text in which PostgreSQL sees the words that people see; without U+0001 it reads as before. It stands between
-- the letters of scripts that have no spaces, so that words are found as phrases, and around signs within "node.js",
-- "pay-bands" and addresses. The signs of "C++" and "C#" become letters. Signs are listed, as what \w means depends on the database's locale.
create function words_apart(text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(regexp_replace(regexp_replace($1,
    '(?<=\w)\+\+(?!\w)', 'ᐩᐩ', 'g'),
    '(?<=\w)#(?!\w)', 'ⵌ', 'g'),
    '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])',
    U&'\0001' || '\1' || U&'\0001', 'g'),
    '(?<=[^\s"!#-/:-@[-`{-~\u00a1-\u00bf\u2010-\u205e])([!#-/:-@[-`{-~\u00a1-\u00bf\u2010-\u205e]+)(?=[^\s"!#-/:-@[-`{-~\u00a1-\u00bf\u2010-\u205e])',
    U&'\0001' || '\1' || U&'\0001', 'g');

create function words_folded(text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(normalize($1, NFKC), '[\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g');

-- "co-working", "node.js" and "don't" in one word each.
create function words_joined(text) returns text
  language sql immutable strict parallel safe
  return regexp_replace($1, '(?<=[^\s\d!-/:-@[-`{-~\u2010-\u205e])[-.''’](?=[^\s\d!-/:-@[-`{-~\u2010-\u205e])', '', 'g');

-- What a text is found by.
create function text_words(text) returns tsvector
  language sql immutable strict parallel safe cost 1000
  return (
    select to_tsvector('every_word', words_apart(folded))
        || to_tsvector('every_word', array_to_string(array(
             select words_joined(compound[1])
               from regexp_matches(folded,
                                   '[^\s!-/:-@[-`{-~\u2010-\u205e]+(?:[-.''’][^\s!-/:-@[-`{-~\u2010-\u205e]+)+', 'g') compound), ' '))
      -- "offset 0": folded once.
      from (select words_folded($1) as folded offset 0) text);

-- A high cost, so that no plan computes them row by row.
create function thread_facets(minute integer, company uuid, topics text[]) returns integer[]
  language sql immutable parallel safe cost 1000
  return post_windows(minute) || array(
    select facet_key(facet) from unnest(array_append(topics, company::text)) facet
     where facet is not null);

-- Workplaces that people look up and rate.
create table companies (
  id uuid default gen_random_uuid() primary key,
  name text not null check ((char_length(name) >= 1) and (char_length(name) <= 120)),
  -- In lower case, without accents: the order of lists, on every engine.
  name_key text not null collate "C",
  -- Null for a name without letters or digits: that company's address is /company/{id}.
  slug text collate "C" unique,
  category text default 'Other' not null check ((char_length(category) >= 1) and (char_length(category) <= 60)),
  description text check (char_length(description) <= 500),
  website text check (char_length(website) <= 300),
  logo_url text check (char_length(logo_url) <= 500),
  demo boolean default false not null,
  created_at timestamptz default now() not null,
  -- Other names that people know a company by.
  aliases text[] default '{}'::text[] not null check (cardinality(aliases) <= 10),
  headquarters text check ((char_length(headquarters) >= 1) and (char_length(headquarters) <= 80)),
  -- ISO 3166-1.
  country text check (country ~ '^[A-Z]{2}$'),
  -- How many people work there.
  size text check (size in ('1-50', '51-200', '201-1000', '1001-5000', '5001-20000', '20001+')),
  founded smallint check ((founded >= 500) and (founded <= 2200)),
  ticker text check ((char_length(ticker) >= 1) and (char_length(ticker) <= 20))
);
create index companies_by_age on companies (created_at, id);
create index companies_by_category on companies (category, name_key, id);
create index companies_by_country on companies (country) where (country is not null);
create index companies_by_name on companies (name_key, id);
create index companies_by_site on companies (company_site(website) collate "C") where (website is not null);
create index companies_by_ticker on companies (ticker) where (ticker is not null);
create index companies_by_words on companies using gin (text_words(description)) with (gin_pending_list_limit='256');
create index companies_demo on companies (id) where demo;
alter index companies_by_words alter column 1 set statistics 0;
create trigger companies_added after insert on companies
  referencing new table as added for each statement execute function companies_added();
create trigger companies_changed after update on companies
  referencing old table as removed new table as added for each statement execute function companies_changed();
create trigger companies_removed after delete on companies
  referencing old table as removed for each statement execute function companies_removed();
create trigger company_renamed_in_jobs after update of name on companies
  for each row when ((old.name is distinct from new.name)) execute function company_renamed_in_jobs();

-- Addresses from before a company was renamed.
create table company_old_slugs (
  slug text collate "C" primary key,
  company_id uuid not null references companies on delete cascade,
  merged_from uuid
);
create index company_old_slugs_by_company on company_old_slugs (company_id);

-- Counters stand apart from what is searched: an update there would rewrite its search entries.
create table company_stats (
  company_id uuid primary key references companies on delete cascade,
  threads integer default 0 not null,
  comments integer default 0 not null,
  recent_comments integer default 0 not null,
  views bigint default 0 not null,
  ratings integer default 0 not null,
  -- Mean of the ratings' averages; 0 while there is none.
  score double precision default 0 not null,
  rto double precision,
  dei double precision,
  work_life double precision,
  culture double precision,
  -- The score that followers last heard of, as shown.
  announced_score double precision
) with (fillfactor='70');
create index company_stats_by_score on company_stats (score, company_id);
create index company_stats_by_threads on company_stats (threads, company_id);
create index company_stats_by_trend on company_stats ((array[views, (recent_comments)::bigint, (threads)::bigint, (ratings)::bigint]), company_id);
create index company_stats_discussed on company_stats (company_id) where (threads > 0);
create index company_stats_rated on company_stats (company_id) where (score > 0);
create trigger company_fame_changed after update of threads, comments, ratings on company_stats
  for each row when ((company_fame(old.threads, old.comments, old.ratings) <> company_fame(new.threads, new.comments, new.ratings))) execute function company_fame_changed();

-- Categories as they occur, with the number of their companies.
create table categories (
  name text collate "C" primary key,
  companies integer default 0 not null
);

-- Work that follows from a commit. A row goes when its work is done, so nothing here says later who asked for what,
-- or when. D6.
create table job_queue (
  id uuid default gen_random_uuid() primary key,
  kind text not null check ((char_length(kind) >= 1) and (char_length(kind) <= 60)),
  payload jsonb default '{}' not null,
  -- From when it may be taken. A worker moves it ahead while it works, so the work of a process that died is due
  -- again by itself. Null: given up.
  due_at timestamptz,
  -- Only the worker that took it last may finish it.
  attempts integer default 0 not null,
  -- A recurring job: its row stays.
  recurs boolean default false not null,
  -- For the operator: why, in a word, and the day.
  given_up text check ((char_length(given_up) >= 1) and (char_length(given_up) <= 40)),
  given_up_on date,
  -- Of recurring jobs only: what follows from what a person did has no time.
  done_at timestamptz,
  constraint job_queue_check check (recurs or (done_at is null))
);
create index job_queue_by_due on job_queue (due_at);
create unique index job_queue_recurring on job_queue (kind) where recurs;

-- No times: nothing here says when somebody signed in, or from where.
create table accounts (
  id uuid default gen_random_uuid() primary key,
  -- A keyed hash finds the address; mails go to the sealed copy. The key isn't in the database.
  email_hash text not null collate "C" unique,
  email_sealed text not null,
  is_email_confirmed boolean default false not null,
  -- Waits for its confirmation.
  new_email_hash text collate "C",
  new_email_sealed text,
  password_hash text,
  -- Written by its person, so it decides how menus look and nothing else.
  user_metadata jsonb default '{}' not null check (pg_column_size(user_metadata) <= 8192),
  is_suspended boolean default false not null,
  made_in_month date not null check (extract(day from made_in_month) = 1),
  -- The keys of its rows are made of this root, another one in each context. D40.
  root_sealed text not null
);
create index accounts_by_month on accounts (made_in_month);
create index accounts_suspended on accounts (id) where is_suspended;
create index accounts_unconfirmed on accounts (id) where (not is_email_confirmed);

create table profiles (
  account_id uuid primary key references accounts on delete cascade,
  username text not null check ((char_length(username) >= 3) and (char_length(username) <= 24)),
  username_key text not null collate "C" unique
);
create index profiles_username_alike on profiles using gin (username_key gin_trgm_ops) with (fastupdate=off);

-- A row means administrator.
create table admin_users (
  id uuid primary key references accounts on delete cascade,
  wants_mail boolean default true not null
);

-- Who may act for which company.
create table employer_claims (
  id uuid default gen_random_uuid() primary key,
  account_id uuid not null references accounts on delete cascade,
  company_id uuid not null references companies on delete cascade,
  status text default 'pending' not null check (status in ('pending', 'approved', 'declined', 'withdrawn', 'revoked')),
  -- The order of claims, as they have days and no times.
  number bigint generated always as identity,
  -- Null for claims that an operator wrote by hand.
  claimed_on date,
  method text check (method in ('mail', 'dns')),
  -- The company's domain at the claim: once it has changed, nothing is approved.
  domain text,
  -- Sealed; only while the claim is pending.
  work_email_sealed text,
  -- Of the one link that works. The link itself says when it ends.
  link_hash text collate "C" unique,
  is_verified boolean default false not null,
  -- From the person to the administrators, while pending or approved.
  note text default '' not null check (char_length(note) <= 1000),
  -- From an administrator to a person who was declined.
  answer text default '' not null check (char_length(answer) <= 1000),
  -- Of the links before that one.
  former_link_hashes text[] default '{}'::text[] not null collate "C",
  merged_from uuid,
  -- The same person's claim for the other company, back when the merge is undone.
  merged_twin uuid,
  -- Each approved claim is a seat; the owner invites, removes and hands over. D61.
  is_owner boolean default false not null,
  -- The owner offered to hand over, and waits for a yes.
  is_offered boolean default false not null,
  -- A daily mail: how many threads and notes are new.
  wants_news boolean default true not null,
  unique (account_id, company_id),
  constraint employer_claims_forget check ((status = 'pending') or ((work_email_sealed is null) and (link_hash is null) and (domain is null))),
  constraint employer_claims_seat check (((status = 'approved') or (not (is_owner or is_offered))) and (not (is_owner and is_offered)))
);
create index employer_claims_by_company on employer_claims (company_id);
create index employer_claims_by_status on employer_claims (status, number);
create unique index employer_claims_offer on employer_claims (company_id) where is_offered;
create unique index employer_claims_owner on employer_claims (company_id) where is_owner;
create trigger approved_claim_gone after delete or update of status on employer_claims
  for each row execute function approved_claim_gone();
create trigger owner_gone after delete on employer_claims
  for each row when (old.is_owner) execute function owner_gone();
create trigger owner_moved after update of status, company_id on employer_claims
  for each row when ((old.is_owner and ((not new.is_owner) or (old.company_id <> new.company_id)))) execute function owner_gone();
create trigger seat_of_claim before insert or update of status, company_id on employer_claims
  for each row execute function seat_of_claim();

-- Links in mails, and the codes that they turn into. Hashes only; a row goes when it's used.
create table one_time_tokens (
  token_hash text collate "C" primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('signup', 'recovery', 'email_change', 'code')),
  -- What the session that a code opens gives as its method.
  method text not null check (method in ('otp', 'recovery')),
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  -- The last three links of one kind to one account work: this is their order.
  nth integer default 1 not null,
  -- The one address that it confirms.
  address_hash text collate "C",
  over_on date not null
);
create index one_time_tokens_by_account on one_time_tokens (account_id);

-- Recognizes a database of another key before anything is written with the wrong one.
create table key_checks (
  name text primary key,
  mark text not null
);

create table topics (
  slug text collate "C" primary key,
  name text not null,
  "position" integer not null
);

create table threads (
  id uuid default gen_random_uuid() primary key,
  company_id uuid references companies on delete cascade,
  -- Its author within this thread: the same in its comments and names, and nowhere else.
  key bytea not null check (octet_length(key) = 16),
  -- Its number among its author's, which only the server can compute.
  mine bytea not null unique check (octet_length(mine) = 16),
  -- Its author, sealed. Null where no one knows.
  owner bytea check (octet_length(owner) = 16),
  -- A pseudonym of this thread, or the username as it was.
  author_name text not null,
  is_visitor boolean not null,
  title text not null check ((char_length(title) >= 8) and (char_length(title) <= 160)),
  body text not null check (char_length(body) <= 20000),
  html text not null,
  excerpt text not null,
  topics text[] default '{}'::text[] not null check (cardinality(topics) <= 5),
  -- Minutes since 1970: no finer time is kept.
  posted_minute integer not null,
  is_edited boolean default false not null,
  is_locked boolean default false not null,
  is_pinned boolean default false not null,
  -- Held until a moderator has looked, or removed for a reason. The words stay for the author and an appeal.
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  comments integer default 0 not null,
  -- Apart from the count: an index over it must not be rewritten with every comment.
  is_answered boolean default false not null,
  -- Of the last comment, also of one that is gone.
  last_place integer default 0 not null,
  -- What lists are ordered by: members' votes, and as much of visitors' as counts.
  score integer default 0 not null,
  -- The whole sum of visitors' votes.
  visitor_score integer default 0 not null,
  -- Twelve and a half hours of age weigh as much as ten times the score.
  hot double precision generated always as (((sign((score)::double precision) * log((greatest(abs(score), 1))::double precision)) + ((posted_minute)::double precision / (750.0)::double precision))) stored not null,
  -- Hashed: the same key twice is one post.
  idempotency_key text not null collate "C" unique,
  -- The company that it was about before a merge: it goes back there when the merge is undone, and a rating's tag
  -- is made with it. No reference, as that company is gone.
  merged_from uuid,
  -- One comment of a person in so many minutes. The comments' own minutes decide: nothing more is kept for it.
  slow_minutes smallint check (slow_minutes > 0),
  -- For readers: why it's locked.
  lock_note text,
  badge_domain text,
  badge_company_id uuid,
  -- What the form said, so that one key can't be two texts. Keyed by the form's own key, which isn't kept: nobody can
  -- try guesses of a text that was changed since.
  sent_hash bytea check (octet_length(sent_hash) = 16),
  search tsvector generated always as ((setweight(text_words(title), 'A'::"char") || setweight(text_words(body), 'B'::"char"))) stored not null
) with (fillfactor='80');
create index threads_by_age on threads (posted_minute, id) include (score, topics) where (hidden is null);
create index threads_by_badge on threads (badge_domain) where (badge_domain is not null);
create index threads_by_day on threads (((posted_minute / 1440)), score, id) include (posted_minute, topics) where (hidden is null);
create index threads_by_hot on threads (hot, id);
create index threads_by_score on threads (score, id) include (posted_minute, topics) where (hidden is null);
create index threads_by_topic on threads using gin (topics);
create index threads_by_words on threads using gin (thread_facets(posted_minute, company_id, topics), search);
create index threads_of_company_by_age on threads (company_id, posted_minute, id);
create index threads_of_company_by_hot on threads (company_id, hot, id);
create index threads_of_company_by_score on threads (company_id, score, id);
create index threads_pinned on threads (company_id, posted_minute) where is_pinned;
create index threads_unanswered on threads (posted_minute, id) where (not is_answered);
alter index threads_by_words alter column 1 set statistics 0;
create trigger number_used after delete on threads
  referencing old table as gone for each statement execute function number_used();

create table comments (
  id uuid default gen_random_uuid() primary key,
  thread_id uuid not null references threads on delete cascade,
  -- Of the same thread, by the command. A deleted comment with replies stays as a stub.
  parent_id uuid references comments on delete cascade,
  key bytea not null check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  owner bytea check (octet_length(owner) = 16),
  author_name text not null,
  is_visitor boolean not null,
  body text not null check (char_length(body) <= 10000),
  html text not null,
  posted_minute integer not null,
  -- The order within a minute of this thread; it says nothing of other threads.
  place integer not null,
  is_edited boolean default false not null,
  is_deleted boolean default false not null,
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  score integer default 0 not null,
  visitor_score integer default 0 not null,
  idempotency_key text not null collate "C" unique,
  badge_domain text,
  badge_company_id uuid,
  sent_hash bytea check (octet_length(sent_hash) = 16),
  search tsvector generated always as (text_words(body)) stored not null,
  unique (thread_id, place)
) with (fillfactor='80');
create index comments_by_age on comments (posted_minute);
create index comments_by_badge on comments (badge_domain, thread_id) where (badge_domain is not null);
create index comments_by_parent_id on comments (parent_id) where (parent_id is not null);
create index comments_by_words on comments using gin (post_windows(posted_minute), search);
alter index comments_by_words alter column 1 set statistics 0;
create trigger number_used after delete on comments
  referencing old table as gone for each statement execute function number_used();

-- In a thread a person has one name, which no one else has.
create table thread_names (
  thread_id uuid not null references threads on delete cascade,
  key bytea primary key check (octet_length(key) = 16),
  -- Whom a mention reaches.
  owner bytea check (octet_length(owner) = 16),
  name text not null,
  unique (thread_id, name)
);

-- Up or down, once per person. The subject is a thread or a comment.
create table votes (
  subject_id uuid not null,
  -- The person within this thread.
  key bytea not null check (octet_length(key) = 16),
  value smallint not null check (value = any (array['-1'::integer, 1])),
  -- held: many came at once, and a moderator decides whether they count.
  state text default 'proven' not null check (state in ('proven', 'unproven', 'held')),
  primary key (subject_id, key)
);
create index votes_by_key on votes (key);
create index votes_held on votes (subject_id) where (state = 'held');

create table saved_threads (
  -- The person within this thread.
  key bytea primary key check (octet_length(key) = 16),
  -- The row's number among its person's, which only the server can compute.
  mine bytea not null unique check (octet_length(mine) = 16),
  thread_id uuid not null references threads on delete cascade
);
create index saved_threads_by_thread on saved_threads (thread_id);

create table polls (
  thread_id uuid primary key references threads on delete cascade,
  closes_on date not null
);

create table poll_options (
  thread_id uuid not null references polls on delete cascade,
  place smallint not null,
  text text not null check ((char_length(text) >= 1) and (char_length(text) <= 100)),
  votes integer default 0 not null,
  primary key (thread_id, place)
);

create table poll_votes (
  thread_id uuid not null,
  -- The person within this poll.
  key bytea primary key check (octet_length(key) = 16),
  place smallint not null,
  is_held boolean default false not null,
  foreign key (thread_id, place) references poll_options (thread_id, place) on delete cascade
);
create index poll_votes_by_option on poll_votes (thread_id, place);
create index poll_votes_held on poll_votes (thread_id) where is_held;

create table job_postings (
  id uuid default gen_random_uuid() primary key,
  company_id uuid not null references companies on delete cascade,
  -- For the search; a trigger keeps it.
  company_name text not null,
  title text not null check ((char_length(title) >= 1) and (char_length(title) <= 120)),
  description text not null check (char_length(description) <= 20000),
  html text not null,
  excerpt text not null,
  -- [{ city, country }].
  places jsonb default '[]' not null,
  -- For searches: p:berlin (the folded city), k:DE (the country, also of remote regions), b:berlin:DE (both).
  place_keys text[] default '{}'::text[] not null collate "C",
  remote_policy text not null collate "C" check (remote_policy in ('on-site', 'hybrid', 'remote')),
  hybrid_days smallint check ((hybrid_days >= 1) and (hybrid_days <= 4)),
  remote_regions text[] default '{}'::text[] not null collate "C",
  employment_type text not null collate "C" check (employment_type in ('full-time', 'part-time', 'contract', 'temporary', 'internship')),
  seniority text collate "C" check (seniority in ('entry', 'junior', 'mid', 'senior', 'lead', 'executive')),
  -- Null only in a draft.
  salary_minimum numeric(11,2) check (salary_minimum > 0),
  salary_maximum numeric(11,2),
  salary_currency text not null collate "C" check (salary_currency ~ '^[A-Z]{3}$'),
  salary_period text not null collate "C" check (salary_period in ('year', 'month', 'hour')),
  -- In whole units a year, comparable within a currency.
  yearly_minimum bigint default 0 not null,
  yearly_maximum bigint default 0 not null,
  -- The maximum in about so many US dollars: orders salaries across currencies.
  salary_worth integer default 0 not null,
  tags text[] default '{}'::text[] not null check (cardinality(tags) <= 10),
  -- One of them; a draft may have neither. The address is public.
  apply_link text,
  apply_email text,
  -- An open job past its last day counts as expired at once; the status follows within a day.
  status text not null collate "C" check (status in ('draft', 'open', 'filled', 'expired')),
  -- Its first open day; renewing doesn't change it.
  posted_date date,
  -- The last day on which it is open.
  valid_through date,
  -- Of a form, or of a feed's row: the same key twice is one job.
  idempotency_key text not null collate "C" unique,
  -- The sum of each day's people.
  views integer default 0 not null,
  applies integer default 0 not null,
  facets text[] generated always as (job_facets(id, posted_date, remote_policy, employment_type, place_keys, salary_currency, salary_worth)) stored not null collate "C",
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  -- While it's hidden its status is filled, so that no list or index holds it: this was the status.
  status_before text collate "C" check (status_before in ('open', 'filled', 'expired')),
  merged_from uuid,
  -- Reasons of reports, for its company. Written at night, so that no one learns when somebody reported.
  reported_for text[] default '{}'::text[] not null,
  sent_hash bytea check (octet_length(sent_hash) = 16),
  search tsvector generated always as ((((setweight(text_words(title), 'A'::"char") || text_words(company_name)) || text_words(job_words(tags))) || text_words(description))) stored not null,
  constraint job_postings_check check ((status = 'draft') or ((salary_minimum is not null) and (salary_maximum >= salary_minimum))),
  constraint job_postings_check1 check ((num_nonnulls(apply_link, apply_email) = 1) or (status = 'draft')),
  constraint job_postings_check2 check ((status = 'draft') = (posted_date is null)),
  constraint job_postings_check3 check ((status = 'draft') = (valid_through is null))
) with (fillfactor='85', toast_tuple_target='512');
create index jobs_by_end on job_postings (valid_through) where (status = 'open');
create index jobs_by_words on job_postings using gin (facets, search) with (fastupdate=off) where (status = 'open');
create index jobs_by_words_from_0 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 0) and (salary_worth < 30000));
create index jobs_by_words_from_120000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 120000) and (salary_worth < 170000));
create index jobs_by_words_from_170000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 170000) and (salary_worth < 240000));
create index jobs_by_words_from_240000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 240000) and (salary_worth < 340000));
create index jobs_by_words_from_30000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 30000) and (salary_worth < 42000));
create index jobs_by_words_from_340000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 340000));
create index jobs_by_words_from_42000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 42000) and (salary_worth < 60000));
create index jobs_by_words_from_60000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 60000) and (salary_worth < 84000));
create index jobs_by_words_from_84000 on job_postings using gin (facets, search) with (fastupdate=off) where ((status = 'open') and (salary_worth >= 84000) and (salary_worth < 120000));
create index jobs_hidden on job_postings (company_id) where (hidden is not null);
create index jobs_of_company on job_postings (company_id, posted_date, id);
create trigger job_entered after insert on job_postings
  for each row execute function job_entered();
create trigger job_entry_replaced after update of status, place_keys, remote_policy, employment_type, salary_worth, salary_currency, yearly_maximum, posted_date, valid_through on job_postings
  for each row execute function job_entered();

-- A company's one reply below a thread or a note. Nothing here says who of its people wrote it.
create table company_replies (
  id uuid default gen_random_uuid() primary key,
  company_id uuid not null references companies on delete cascade,
  thread_id uuid references threads on delete cascade,
  -- No reference, as the table of ratings is rewritten each night: what removes a note removes this.
  note_id uuid unique,
  body text not null check ((char_length(body) >= 10) and (char_length(body) <= 5000)),
  html text not null,
  -- From one. Earlier texts are in company_reply_versions.
  version integer default 1 not null,
  -- Minutes since 1970. Below a note the month's first minute: a finer time would narrow down the note's.
  first_minute integer not null,
  written_minute integer not null,
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  merged_from uuid,
  unique (thread_id, company_id),
  constraint company_replies_check check (num_nonnulls(thread_id, note_id) = 1)
);
create index company_replies_by_company on company_replies (company_id);
create index company_replies_hidden on company_replies (company_id) where (hidden is not null);

-- Company rooms: threads and their comments. No account, no minute, nothing that two threads share. D65.
create table room_posts (
  id uuid primary key,
  domain text not null,
  -- Where its writer entered; merged companies are looked up.
  company_id uuid not null,
  -- A thread's own id.
  thread_id uuid not null references room_posts on delete cascade,
  -- Its place in the thread, from 0.
  nth integer not null,
  -- A thread's place in the room, higher with each comment.
  place integer,
  title text,
  body text not null,
  html text not null,
  name text not null,
  -- The writer within this thread: a hash of a proven tag.
  thread_key bytea not null check (length(thread_key) = 32),
  -- SHA-256 of the key that changes and removes it.
  holder bytea not null check (length(holder) = 32),
  is_edited boolean default false not null,
  -- A thread whose comments stay.
  is_deleted boolean default false not null,
  hidden text check (hidden in ('held', 'removed')),
  hidden_reason text,
  -- A month, as ratings have: a day would say when its writer was here.
  month date not null,
  -- Written since the last night.
  is_new boolean default true not null,
  -- Keyed by the proven tag, which isn't kept.
  sent_hash bytea check (octet_length(sent_hash) = 16),
  unique (thread_id, nth),
  constraint room_posts_check check ((place is null) = (nth > 0)),
  constraint room_posts_check1 check ((title is null) = (nth > 0))
);
create unique index room_threads_by_place on room_posts (domain, place) where (place is not null);

-- One case per post; it goes with its post.
create table moderation_cases (
  id uuid default gen_random_uuid() primary key,
  thread_id uuid unique references threads on delete cascade,
  comment_id uuid unique references comments on delete cascade,
  cause text not null check (cause in ('reports', 'burst', 'moderator', 'votes', 'watched', 'first')),
  is_open boolean not null,
  -- A moderator kept it: reports alone don't hold it again.
  is_cleared boolean default false not null,
  -- To the author of a removed post.
  note text,
  -- Whose decision it is: the appeal goes to someone else.
  decided_by uuid references accounts on delete set null,
  appeal text,
  appeal_status text check (appeal_status in ('open', 'accepted', 'declined')),
  opened_on date not null,
  -- No reference, as the table of ratings is rewritten each night.
  note_id uuid unique,
  -- The order of one day's cases, as no time is kept.
  opened_nth integer default 0 not null,
  job_id uuid unique references job_postings on delete cascade,
  reply_id uuid unique references company_replies on delete cascade,
  -- The watched words that held it.
  watched text,
  room_post_id uuid unique references room_posts on delete cascade,
  constraint moderation_cases_check check (num_nonnulls(thread_id, comment_id, note_id, job_id, reply_id, room_post_id) = 1)
);
create index moderation_cases_appealed on moderation_cases (opened_on, id) where (appeal_status = 'open');
create index moderation_cases_open on moderation_cases (opened_on, id) where is_open;

create table reports (
  case_id uuid not null references moderation_cases on delete cascade,
  -- The person within this case.
  key bytea not null check (octet_length(key) = 16),
  reason text not null,
  note text default '' not null,
  -- From a member with a confirmed address: only those hold a post.
  is_weighty boolean not null,
  -- A decision was made since.
  is_settled boolean default false not null,
  primary key (case_id, key)
);

-- Who can't write for a while. Moderators see it at the one post that led to it.
create table suspensions (
  id uuid default gen_random_uuid() primary key,
  -- The row's number among its person's, which only the server can compute.
  mine bytea not null unique check (octet_length(mine) = 16),
  case_id uuid references moderation_cases on delete set null,
  ends_on date not null,
  reason text not null
);
create index suspensions_by_case on suspensions (case_id);

-- What moderators did, by the day; the number gives the order.
create table moderation_log (
  id bigint generated always as identity primary key,
  done_on date not null,
  moderator_id uuid references accounts on delete set null,
  moderator_name text not null,
  action text not null,
  -- No references: they may be gone.
  thread_id uuid,
  comment_id uuid,
  reason text,
  note text,
  -- What undoing needs to know.
  before jsonb default '{}' not null,
  undone_by bigint references moderation_log,
  note_id uuid,
  job_id uuid,
  reply_id uuid,
  room_post_id uuid
);
create index moderation_log_by_comment on moderation_log (comment_id, id) where (comment_id is not null);
create index moderation_log_by_job on moderation_log (job_id, id) where (job_id is not null);
create index moderation_log_by_moderator on moderation_log (moderator_id);
create index moderation_log_by_note on moderation_log (note_id, id) where (note_id is not null);
create index moderation_log_by_reply on moderation_log (reply_id, id) where (reply_id is not null);
create index moderation_log_by_room_post on moderation_log (room_post_id, id) where (room_post_id is not null);
create index moderation_log_by_thread on moderation_log (thread_id, id);

-- Public: how many removals, when and why.
create table removal_counts (
  company_id uuid references companies on delete cascade,
  month date not null check (extract(day from month) = 1),
  reason text not null,
  threads integer default 0 not null,
  comments integer default 0 not null,
  notes integer default 0 not null,
  jobs integer default 0 not null,
  replies integer default 0 not null,
  unique nulls not distinct (company_id, month, reason)
);

-- One row per person, subject and kind, which counts on until it's read.
create table notifications (
  id uuid default gen_random_uuid() primary key,
  -- Of the person and the subject.
  key bytea not null unique check (octet_length(key) = 16),
  -- The row's number among its person's of the month, which only the server can compute.
  mine bytea not null unique check (octet_length(mine) = 16),
  kind text not null check (kind in ('reply', 'mention', 'company-reply', 'moderation', 'alert')),
  thread_id uuid references threads on delete cascade,
  -- The person's comment that it is about; null for the thread.
  comment_id uuid references comments on delete cascade,
  company_id uuid references companies on delete cascade,
  latest_place integer default 0 not null,
  -- Of moderation: what was done, and why. Of alerts: what of the company.
  event text,
  reason text,
  -- Of alerts: the threads counted, newest first. No references: one that's gone isn't news.
  thread_ids uuid[] default '{}'::uuid[] not null check (cardinality(thread_ids) <= 50),
  -- The same of jobs.
  job_ids uuid[] default '{}'::uuid[] not null check (cardinality(job_ids) <= 50),
  count integer default 1 not null,
  is_read boolean default false not null,
  is_mailed boolean default false not null,
  minute integer not null,
  merged_from uuid,
  -- The same of the comments of replies and mentions.
  comment_ids uuid[] default '{}'::uuid[] not null check (cardinality(comment_ids) <= 50),
  constraint notifications_about check (case kind when 'alert' then (num_nonnulls(company_id, event) = 2) when 'company-reply' then (num_nonnulls(thread_id, company_id, reason) = 3) else (thread_id is not null) end)
) with (fillfactor='80');
create index notifications_by_comment on notifications (comment_id);
create index notifications_by_company on notifications (company_id) where (company_id is not null);
create index notifications_by_minute on notifications (minute);
create index notifications_by_thread on notifications (thread_id);
create trigger number_changed after update of mine on notifications
  for each row when ((old.mine is distinct from new.mine)) execute function number_changed();
create trigger number_used after delete on notifications
  referencing old table as gone for each statement execute function number_used('months');

create table muted_threads (
  key bytea primary key check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  -- The person, sealed: the job that writes news leaves them out.
  owner bytea not null check (octet_length(owner) = 16),
  thread_id uuid not null references threads on delete cascade
);
create index muted_threads_by_thread on muted_threads (thread_id);

-- Who wants mails about news. It names no account: mailed news is marked, so if only one member wanted mails, the
-- marks would tell what that one wrote.
create table digests (
  -- A keyed hash of the account, and the account sealed.
  reader text collate "C" primary key,
  account_sealed text not null,
  every text not null check (every in ('daily', 'weekly'))
);

-- What people gave: no account, no time finer than a month. The tag gives one person one rating of a company: a
-- credential's, or HMAC(account, company) from before credentials. Rewritten each night in random order, so
-- nothing references it.
create table ratings (
  id uuid default gen_random_uuid() not null,
  company_id uuid not null,
  tag text not null collate "C",
  -- Of the last change.
  month date not null check (extract(day from month) = 1),
  rto smallint check ((rto >= 1) and (rto <= 5)),
  dei smallint check ((dei >= 1) and (dei <= 5)),
  work_life smallint check ((work_life >= 1) and (work_life <= 5)),
  culture smallint check ((culture >= 1) and (culture <= 5)),
  -- Days a week that people really spend there.
  office_days smallint check ((office_days >= 0) and (office_days <= 5)),
  relation text check (relation in ('current', 'former', 'candidate')),
  era text check (era in ('2023', '2020', '2015', 'earlier')),
  note text default '' not null check (char_length(note) <= 2000),
  note_html text default '' not null,
  merged_from uuid,
  -- SHA-256 of a key that only its holder can make; null for one from before credentials.
  holder bytea check (length(holder) = 32),
  badge_domain text
);
create index ratings_by_company on ratings (company_id);
create index ratings_by_holder on ratings (holder) where (holder is not null);
create unique index ratings_by_id on ratings (id);
create unique index ratings_by_tag on ratings (tag);

-- Who found a note helpful.
create table rating_votes (
  rating_id uuid not null,
  -- The person within this company.
  key bytea not null check (octet_length(key) = 16),
  -- Counted at night, so that no one can tell when somebody voted.
  is_counted boolean default false not null,
  primary key (rating_id, key)
);
create index rating_votes_by_key on rating_votes (key);

-- What every shown number of ratings is made of.
create table rating_months (
  company_id uuid not null references companies on delete cascade,
  month date not null,
  ratings integer default 0 not null,
  -- Sum of the averages (Spec §5), in tenths.
  tenths integer default 0 not null,
  -- How often each number of stars was given, one to five.
  rto integer[] default '{0,0,0,0,0}'::integer[] not null,
  dei integer[] default '{0,0,0,0,0}'::integer[] not null,
  work_life integer[] default '{0,0,0,0,0}'::integer[] not null,
  culture integer[] default '{0,0,0,0,0}'::integer[] not null,
  -- Unusually many came on this day: the month counts more from day to day.
  surge_since date,
  primary key (company_id, month)
) with (fillfactor='70');
create index rating_months_surging on rating_months (surge_since) where (surge_since is not null);

-- Who follows which company. Nothing here leads to an account.
create table follows (
  key bytea primary key check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  owner bytea not null check (octet_length(owner) = 16),
  company_id uuid not null references companies on delete cascade,
  threads boolean default true not null,
  ratings boolean default true not null,
  policy boolean default true not null,
  jobs boolean default true not null,
  is_paused boolean default false not null,
  merged_from uuid
);
create index follows_by_company on follows (company_id);

-- A company's office policy over time; the last row is today's.
create table company_policies (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies on delete cascade,
  mode text not null check (mode in ('office', 'hybrid', 'remote')),
  -- Days a week in the office.
  days smallint check ((days >= 0) and (days <= 5)),
  since date check (extract(day from since) = 1),
  source text check (char_length(source) <= 300),
  merged_from uuid
);
create index company_policies_by_company on company_policies (company_id, id);

-- Changes to a company's facts: suggested, applied, declined, reverted.
create table company_edits (
  id bigint generated always as identity primary key,
  company_id uuid not null references companies on delete cascade,
  -- Per field: before and after.
  changes jsonb not null,
  reason text default '' not null check (char_length(reason) <= 500),
  status text not null check (status in ('suggested', 'applied', 'declined', 'reverted')),
  made_on date not null,
  -- Who suggested it, within this company; null for an administrator's.
  key bytea check (octet_length(key) = 16),
  mine bytea unique check (octet_length(mine) = 16),
  decided_by uuid references accounts on delete set null,
  decided_name text,
  merged_from uuid,
  constraint company_edits_check check ((mine is null) or (status = 'suggested'))
);
create index company_edits_by_company on company_edits (company_id, id);
create index company_edits_open on company_edits (id) where (status = 'suggested');

-- Logos as WebP, small, without the metadata of their files.
create table company_logos (
  company_id uuid primary key references companies on delete cascade,
  hash text not null collate "C",
  bytes bytea not null check (octet_length(bytes) <= 262144)
);

-- Who chose which company from a list (Spec §3). The person is a pseudonym of the day, whose key goes with the day,
-- so no one can make it again. S18.
create table company_interactions (
  id uuid default gen_random_uuid() primary key,
  company_id uuid not null references companies on delete cascade,
  -- As it was called then.
  company_name text not null,
  user_id text not null collate "C",
  interaction_type text default 'click' not null check (interaction_type = 'click'),
  -- To the minute.
  created_at timestamptz not null check (extract(second from created_at) = 0),
  merged_from uuid
);
create index company_interactions_by_company on company_interactions (company_id);
create index company_interactions_by_time on company_interactions (created_at, id);

-- The key of the day, sealed; random, shared by all processes, gone the next day.
create table interaction_keys (
  day date primary key,
  key_sealed text not null
);

-- A request names an account or an address, so it keeps its day and an order, and no time.
create table company_requests (
  id uuid default gen_random_uuid() primary key,
  number bigint generated always as identity unique,
  company_name text not null check ((char_length(company_name) >= 1) and (char_length(company_name) <= 120)),
  company_website text check (char_length(company_website) <= 300),
  status text default 'pending' not null check (status in ('pending', 'approved', 'declined')),
  -- A member; null once the account is gone.
  requested_by uuid references accounts on delete set null,
  -- A visitor's address, sealed. A member's is in the account only.
  requester_email text,
  notify boolean default false not null,
  -- The owner got the one mail about it.
  is_notified boolean default false not null,
  created_on date not null,
  -- What it became, or already was.
  company_id uuid references companies on delete set null,
  merged_from uuid
);
create index company_requests_by_account on company_requests (requested_by) where (requested_by is not null);
create index company_requests_by_company on company_requests (company_id) where (company_id is not null);
create index company_requests_pending on company_requests (number) where (status = 'pending');

-- What people write to the operator (Spec §3). No account, no browser; the hash of the address is of its own kind and
-- equals none among the accounts.
create table contact_messages (
  id uuid default gen_random_uuid() primary key,
  -- The order in which they came.
  number bigint generated always as identity unique,
  -- Made by the form: the same one twice is one message.
  idempotency_key uuid not null unique,
  name text not null check ((char_length(name) >= 1) and (char_length(name) <= 100)),
  email_hash text not null collate "C",
  email_sealed text not null,
  message text not null check ((char_length(message) >= 1) and (char_length(message) <= 5000)),
  status text default 'unread' not null check (status in ('unread', 'read', 'archived', 'deleted')),
  -- To the hour.
  created_at timestamptz not null check (created_at = date_trunc('hour', created_at, 'UTC')),
  -- The text stays for 30 days after.
  deleted_on date,
  search tsvector not null,
  -- As its sender chose.
  subject text default 'general' not null check (subject in ('general', 'legal', 'privacy', 'press')),
  -- When a legal notice is due, to the hour. Null once answered.
  answer_by timestamptz check (answer_by = date_trunc('hour', answer_by, 'UTC')),
  assignee_id uuid references accounts on delete set null,
  labels text[] default '{}'::text[] not null check (cardinality(labels) <= 5),
  constraint contact_messages_check check ((deleted_on is not null) = (status = 'deleted'))
);
create index contact_messages_by_address on contact_messages (email_hash);
create index contact_messages_by_assignee on contact_messages (assignee_id, number) where (assignee_id is not null);
create index contact_messages_by_label on contact_messages using gin (labels) with (fastupdate=off);
create index contact_messages_by_status on contact_messages (status, number);
create index contact_messages_deleted on contact_messages (deleted_on) where (deleted_on is not null);
create index contact_messages_listed on contact_messages (number) where (status <> 'deleted');
create index contact_messages_notices on contact_messages (number) where ((answer_by is not null) and (status in ('unread', 'read')));
create index contact_messages_search on contact_messages using gin (search) with (fastupdate=off);

-- What administrators answered by mail. It goes with its message.
create table contact_answers (
  -- Made by the form, as above.
  id uuid primary key,
  number bigint generated always as identity unique,
  message_id uuid not null references contact_messages on delete cascade,
  -- The name as shown then; no account.
  administrator text not null,
  body text not null check ((char_length(body) >= 1) and (char_length(body) <= 5000)),
  day date not null,
  -- A mail server took it.
  is_sent boolean default false not null
);
create index contact_answers_by_message on contact_answers (message_id, number);

-- What administrators did; the number gives the order.
create table admin_log (
  id bigint generated always as identity primary key,
  -- The same act twice is one row.
  act uuid default gen_random_uuid() not null unique,
  done_on date not null,
  -- Null for the operator at the terminal, and once the account is gone.
  admin_id uuid references accounts on delete set null,
  admin_name text not null,
  action text not null,
  -- What it was done to; no address.
  subject text not null check (char_length(subject) <= 200),
  -- To the minute, but null for what is done to an ordinary account.
  done_at timestamptz check (done_at = date_trunc('minute', done_at, 'UTC')),
  -- No reference: the log outlives the company.
  company_id uuid
);
create index admin_log_by_action on admin_log (action, id);
create index admin_log_by_admin on admin_log (admin_id);
create index admin_log_by_day on admin_log (done_on, id);
create index admin_log_by_name on admin_log (admin_name, id);
create index admin_log_by_subject on admin_log using gin (subject gin_trgm_ops) with (fastupdate=off);

-- Numbers for analytics. `day` is the first day of what is counted: of sign-ups the Monday of their week, of ratings
-- the first of their month. A day's sign-ups would date accounts, which a copy of the database lists in order: so
-- weeks, for a quarter, and none below five. A number of ratings that grows while somebody watches would date them: a
-- month is counted once, when it's over.
create table daily_counts (
  name text not null collate "C" check (name in ('visitors', 'threads', 'comments', 'requests', 'clicks', 'sign-ups', 'ratings')),
  day date not null,
  n integer not null,
  primary key (name, day)
) with (fillfactor='70');

-- A company's clicks, of the days shown.
create table daily_clicks (
  company_id uuid not null references companies on delete cascade,
  day date not null,
  n integer not null,
  primary key (company_id, day)
) with (fillfactor='70');
create index daily_clicks_by_day on daily_clicks (day);

-- A day's visitors: each sets one of 65,536 shared bits, chosen by a hash under the key of the day. The row becomes a
-- number when the day is over.
create table visitor_marks (
  day date primary key,
  marks bit(65536) not null
);

-- How far a file was read: an interrupted import goes on there.
create table imports (
  -- SHA-256 of the file.
  hash text collate "C" primary key,
  rows_done integer default 0 not null,
  added integer default 0 not null,
  skipped integer default 0 not null,
  failed integer default 0 not null,
  is_finished boolean default false not null
);

-- Earlier texts, which anyone can read.
create table company_reply_versions (
  reply_id uuid not null references company_replies on delete cascade,
  version integer not null,
  body text not null,
  html text not null,
  written_minute integer not null,
  primary key (reply_id, version)
);

-- Open jobs in the two orders of lists, once for each common list: all (*), a currency (c:EUR), a place's key, and
-- that in a currency (k:DE c:EUR). The indexes hold what most filters need; triggers keep the table.
create table job_entries (
  key text not null collate "C",
  remote_policy text not null collate "C",
  employment_type text not null collate "C",
  -- Days since 1970.
  posted_day integer not null,
  salary_worth integer default 0 not null,
  job_id uuid not null references job_postings on delete cascade,
  salary_currency text not null collate "C",
  yearly_maximum bigint not null,
  valid_through date not null
);
create index job_entries_by_age on job_entries (key, remote_policy, employment_type, posted_day, job_id) include (salary_worth, salary_currency, yearly_maximum, valid_through);
create index job_entries_by_salary on job_entries (key, remote_policy, employment_type, salary_worth, job_id) include (posted_day, salary_currency, yearly_maximum, valid_through);
create index job_entries_of_job on job_entries (job_id);

-- Nothing here leads to an account.
create table saved_jobs (
  key bytea primary key check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  job_id uuid not null references job_postings on delete cascade
);
create index saved_jobs_by_job on saved_jobs (job_id);

-- What a person wants to hear of when it's posted. All that is given must match.
create table job_alerts (
  id uuid default gen_random_uuid() primary key,
  -- The person within these filters: the same twice is one alert.
  key bytea not null unique check (octet_length(key) = 16),
  mine bytea not null unique check (octet_length(mine) = 16),
  owner bytea not null check (octet_length(owner) = 16),
  search text check (char_length(search) <= 200),
  company_id uuid references companies on delete cascade,
  place text check (char_length(place) <= 100),
  remote_policy text collate "C",
  employment_type text collate "C",
  -- At least, in whole units a year.
  salary bigint check (salary > 0),
  salary_currency text collate "C",
  -- The place, as `place_keys` of jobs has it.
  place_key text collate "C",
  -- A job without one of these can't match, so a new job reads few alerts.
  keys text[] not null collate "C" check (cardinality(keys) > 0),
  merged_from uuid,
  words tsquery generated always as (searched_words(search)) stored,
  constraint job_alerts_check check ((salary is null) = (salary_currency is null)),
  constraint job_alerts_check1 check ((place is null) = (place_key is null)),
  constraint job_alerts_check2 check (num_nonnulls(search, company_id, place, remote_policy, employment_type, salary) > 0)
);
create index job_alerts_by_company on job_alerts (company_id) where (company_id is not null);
create index job_alerts_by_key on job_alerts using gin (keys) with (fastupdate=off);

-- What dashboards show. A span is a stretch of time that was over when counted, with at least five people. It never
-- changes, whatever is posted or removed later, and answers are sums of whole spans: no two differ by fewer than five.
create table dashboard_spans (
  company_id uuid not null references companies on delete cascade,
  kind text not null collate "C" check (kind in ('threads', 'comments', 'ratings', 'jobs')),
  first_day date not null,
  last_day date not null,
  -- Bare sums; nobody's key.
  numbers jsonb not null,
  primary key (company_id, kind, first_day),
  constraint dashboard_spans_check check (last_day >= first_day)
);

-- How far a company was counted. One row per company that has a seat.
create table dashboard_counts (
  company_id uuid primary key references companies on delete cascade,
  -- The Monday of the last week that was over.
  counted_week date,
  counted_on date,
  -- Followers when the shown number was made; never shown itself.
  follower_basis integer default 0 not null,
  -- As shown: in fives, null for fewer than five.
  followers integer check ((followers >= 5) and ((followers % 5) = 0)),
  followers_since date,
  -- Since when job views and applies wait to be shown, and how many there were by then.
  jobs_since date,
  view_basis bigint default 0 not null,
  apply_basis bigint default 0 not null
);

-- Deleted jobs of feeds: the feed is read each night and must not bring them back.
create table deleted_jobs (
  idempotency_key text collate "C" primary key,
  company_id uuid not null references companies on delete cascade,
  merged_from uuid
);
create index deleted_jobs_of_company on deleted_jobs (company_id);

-- Written every few seconds: shows since when writing fails.
create table last_write (
  is_only boolean default true primary key check (is_only),
  at timestamptz not null
);

-- How far the search for missing logos has come.
create table logo_search (
  is_only boolean default true primary key check (is_only),
  -- The last company looked at, by id.
  after uuid not null,
  began_on date not null,
  is_over boolean not null
);

-- How far each sealed column was resealed for its rows.
create table sealed_columns (
  name text collate "C" primary key,
  -- The last row looked at; null before the first.
  after text collate "C",
  is_over boolean default false not null
);

-- What people prove beside a password. Nothing here changes when somebody signs in.
create table second_factors (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('totp', 'webauthn')),
  is_verified boolean default false not null,
  -- Its name, and an app's secret or a passkey's public key, sealed for this row.
  sealed text not null
);
create index second_factors_by_account on second_factors (account_id);

-- Each stands in for a factor once; a row goes when it's used.
create table recovery_codes (
  account_id uuid not null references accounts on delete cascade,
  -- A slow hash under the site's key.
  code_hash text not null collate "C",
  primary key (account_id, code_hash)
);

-- What is public of ratings, published once a day for several people at once (D39). Every number, note and file is
-- made of this table, and none of `ratings`.
create table public_ratings (
  -- Of the row in ratings; no tag, so this table leads to no one by itself.
  id uuid not null,
  -- No reference, as the table is swapped with its copy each night, which would lock all companies. Rating and
  -- publishing lock the company, and deleting one takes its ratings first.
  company_id uuid not null,
  month date not null check (extract(day from month) = 1),
  rto smallint check ((rto >= 1) and (rto <= 5)),
  dei smallint check ((dei >= 1) and (dei <= 5)),
  work_life smallint check ((work_life >= 1) and (work_life <= 5)),
  culture smallint check ((culture >= 1) and (culture <= 5)),
  office_days smallint check ((office_days >= 0) and (office_days <= 5)),
  relation text check (relation in ('current', 'former', 'candidate')),
  era text check (era in ('2023', '2020', '2015', 'earlier')),
  note text default '' not null check (char_length(note) <= 2000),
  note_html text default '' not null,
  -- At once when a moderator decides.
  note_hidden text check (note_hidden in ('held', 'removed')),
  note_hidden_reason text,
  -- As last counted.
  helpful integer default 0 not null,
  -- The company heard of its note, or the note was older than the wish to.
  is_announced boolean default false not null,
  badge_domain text,
  constraint public_ratings_check check (num_nonnulls(rto, dei, work_life, culture) > 0)
);
create index public_ratings_by_badge on public_ratings (badge_domain, company_id) where (badge_domain is not null);
create index public_ratings_by_company on public_ratings (company_id);
create unique index public_ratings_by_id on public_ratings (id);
create index public_ratings_hidden on public_ratings (company_id) where (note_hidden is not null);
create index public_ratings_notes on public_ratings (company_id, month, id) where ((note <> '') and (note_hidden is null));

-- Up to which night all is done, and which steps of this one.
create table nightly_run (
  is_only boolean default true primary key check (is_only),
  done_until date,
  night date,
  steps text[] default '{}'::text[] not null,
  -- Which process runs it: one that lost it stops before the next step.
  holder uuid
);

-- Numbers of deleted rows: each is given once, or counting would stop where one is missing.
create table used_numbers (
  mine bytea primary key,
  -- Notifications are numbered by month, so theirs can go.
  until date
);
create index used_numbers_until on used_numbers (until) where (until is not null);

create table member_cred (
  key bytea primary key check (octet_length(key) = 16),
  cred integer not null
);

-- Marks of sessions that ended, with their month, and of an account's ended generations, for good.
create table ended_sessions (
  mark text collate "C" primary key,
  month date check (extract(day from month) = 1)
);

-- What a company is found by: names without spaces and signs, made in company-keys.ts.
create table company_keys (
  company_id uuid not null references companies on delete cascade,
  key text not null collate "C" check ((octet_length(key) >= 1) and (octet_length(key) <= 1000)),
  -- 0 a whole name, 1 a name from a later word on, 2 initials, 3 the category, and the name behind it
  kind smallint not null check ((kind >= 0) and (kind <= 3)),
  -- Of company_fame.
  fame smallint not null,
  primary key (kind, fame, key, company_id)
);
create index company_keys_by_company on company_keys (company_id);
create index company_keys_by_key on company_keys (key) where (kind <= 1);
create index company_keys_by_trigram on company_keys using gin (key gin_trgm_ops) with (gin_pending_list_limit='256') where (kind = 0);

-- Companies whose keys the program has yet to make, in portions.
create table companies_without_keys (
  company_id uuid primary key
);

-- Imports, which can be undone while no one has written about their companies.
create table company_imports (
  id uuid primary key,
  -- The order in which they began.
  number bigint generated always as identity unique,
  done_on date not null,
  -- As in admin_log.
  admin_name text not null,
  -- The file's name, or another source.
  source text not null check ((char_length(source) >= 1) and (char_length(source) <= 200)),
  added integer default 0 not null,
  skipped integer default 0 not null,
  failed integer default 0 not null,
  undone_on date
);

create table imported_companies (
  company_id uuid primary key references companies on delete cascade,
  import_id uuid not null references company_imports on delete cascade
);
create index imported_companies_by_import on imported_companies (import_id);

-- Which category a list's sector became: proposed the next time.
create table import_categories (
  -- Without accents, signs and capitals: category-mapping.ts.
  given text collate "C" primary key check ((char_length(given) >= 1) and (char_length(given) <= 120)),
  category text not null check ((char_length(category) >= 1) and (char_length(category) <= 60))
);

-- Companies that became part of another one. Their ids lead there for good, as keys of people's rows are made of them.
create table company_merges (
  -- The company that is gone.
  id uuid primary key,
  -- Where it is now, also after further merges.
  company_id uuid not null references companies on delete cascade,
  -- The one that it was merged into.
  into_id uuid not null,
  name text not null,
  -- The entry in that one's history.
  edit_id bigint not null,
  -- A whole minute. Null once it's too late.
  undo_until timestamptz check (extract(second from undo_until) = 0),
  kept jsonb,
  constraint company_merges_check check ((undo_until is null) = (kept is null))
);
create index company_merges_by_company on company_merges (company_id);
create index company_merges_undoable on company_merges (undo_until) where (undo_until is not null);

-- A row means moderator. No day, as with all roles.
create table moderators (
  id uuid primary key references accounts on delete cascade,
  -- A mail on each day with open cases.
  wants_mail boolean default true not null
);

-- The owner's checklist, and the day of the last backup by command.
create table owner_steps (
  name text primary key check (name in ('backup', 'backup-otherwise', 'rules', 'put-away')),
  day date,
  constraint owner_steps_check check ((day is not null) = (name = 'backup'))
);

-- Moderators' saved texts, with placeholders.
create table ruling_templates (
  id uuid default gen_random_uuid() primary key,
  name text not null,
  body text not null
);
create unique index ruling_templates_by_name on ruling_templates (lower(name));

-- What holds a new post: words, or the host of a link.
create table watched_words (
  id uuid default gen_random_uuid() primary key,
  -- As typed, and as compared.
  entry text not null,
  folded text not null collate "C" unique,
  is_domain boolean not null
);

-- Limits where the operator chose another number than ours.
create table chosen_limits (
  name text collate "C" primary key,
  uses integer not null check (uses > 0)
);

-- How many first posts of a person are held, and since when; without a row, none.
create table first_posts_rule (
  is_only boolean default true primary key check (is_only),
  posts smallint not null check (posts > 0),
  since_minute integer not null
);

-- All labels of messages.
create table contact_labels (
  label text collate "C" primary key check ((char_length(label) >= 1) and (char_length(label) <= 24))
);

-- Saved answers, with placeholders.
create table saved_answers (
  id uuid default gen_random_uuid() primary key,
  title text not null check ((char_length(title) >= 1) and (char_length(title) <= 60)),
  -- In lower case: a title is unique.
  title_key text not null collate "C" unique,
  body text not null check ((char_length(body) >= 1) and (char_length(body) <= 5000))
);

-- Gone once answered, or after two weeks.
create table seat_invitations (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  -- The company it was made for, where that was merged into this one.
  merged_from uuid,
  -- A keyed hash of its own kind: it equals none among the accounts.
  address_hash text not null collate "C",
  email_sealed text not null,
  invited_on date not null,
  unique (company_id, address_hash)
);
create index seat_invitations_by_address on seat_invitations (address_hash);

-- Up to which minute a company heard of its threads.
create table company_news (
  company_id uuid primary key references companies on delete cascade,
  announced_until integer not null
);

-- For proving, with each renewal, that an account's secret is still the same. It hides the secret perfectly: not even
-- the site's keys lead from here to a rating. D63.
create table credential_commitments (
  account_id uuid primary key references accounts on delete cascade,
  commitment bytea not null check (length(commitment) = 33),
  -- Starting over is possible six months later.
  month date not null check (extract(day from month) = 1)
);

-- The secret for a person's other devices, sealed in the browser: always of one length, never written on rating.
create table credential_vaults (
  account_id uuid primary key references accounts on delete cascade,
  sealed bytea not null check (length(sealed) = 1024)
);

-- That a work address was confirmed in a quarter, so that it isn't confirmed twice: no address, no account, no day. D64.
create table badge_holders (
  address_hash bytea primary key check (length(address_hash) = 32),
  -- Of the link: the same one can be used again.
  link_hash bytea not null check (length(link_hash) = 32),
  domain text not null,
  quarter text not null check (quarter ~ '^\d{4}-Q[1-4]$')
);

-- Domains whose badges are shown, as enough people had one in a quarter. Filled at night.
create table badge_domains (
  domain text primary key,
  -- Opened at night, once enough people had a badge of one quarter.
  has_room boolean default false not null
);

-- So that numbers for companies leave deleted accounts out.
create table deleted_accounts (
  key bytea primary key
);

-- Which refresh tokens were exchanged: one sealed text.
create table refresh_token_replays (
  is_only boolean default true primary key check (is_only),
  sealed text
);

insert into topics (slug, name, position) values
  ('return-to-office', 'Return to office', 1),
  ('work-life-balance', 'Work-life balance', 2),
  ('culture', 'Culture', 3),
  ('inclusion', 'Inclusion', 4),
  ('pay', 'Pay and benefits', 5),
  ('management', 'Management', 6),
  ('interviews', 'Interviews', 7),
  ('layoffs', 'Layoffs and change', 8),
  ('career', 'Career', 9),
  ('remote', 'Remote work', 10),
  ('starting', 'First weeks', 11),
  ('leaving', 'Leaving', 12),
  ('water-cooler', 'Water cooler', 13);

-- compatible: older programs may go on
-- Texts and what is searched for are folded alike: see D44. It rewrites threads, comments and
-- jobs, which wait meanwhile.

create extension if not exists unaccent;
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

create function words_folded(text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(normalize($1, NFKC), '[\u00ad\u200b-\u200f\u2060\ufeff]', '', 'g');

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

alter table threads drop column search,
  add column search tsvector not null generated always as (
    setweight(text_words(title), 'A') || setweight(text_words(body), 'B')
  ) stored;
create index threads_by_words on threads
  using gin (thread_facets(posted_minute, company_id, topics), search);
alter index threads_by_words alter column 1 set statistics 0;

alter table comments drop column search,
  add column search tsvector not null generated always as (text_words(body)) stored;
create index comments_by_words on comments using gin (post_windows(posted_minute), search);
alter index comments_by_words alter column 1 set statistics 0;

alter table job_postings drop column search,
  add column search tsvector not null generated always as (
    setweight(text_words(title), 'A') || text_words(company_name) || text_words(job_words(tags))
    || text_words(description)
  ) stored;
create index jobs_by_words on job_postings using gin (facets, search)
  with (fastupdate = off) where status = 'open';
do $$
declare
  floors integer[] := '{340000, 240000, 170000, 120000, 84000, 60000, 42000, 30000, 0}';
begin
  for n in 1 .. cardinality(floors) loop
    execute format(
      'create index jobs_by_words_from_%s on job_postings using gin (facets, search)
         with (fastupdate = off) where status = ''open'' and salary_worth >= %s', floors[n], floors[n])
      || coalesce(' and salary_worth < ' || floors[n - 1], '');
  end loop;
end $$;

alter table job_alerts drop column words,
  add column words tsquery generated always as (searched_words(search)) stored;
-- A job has other words than before where there are signs or letters with marks: these look at every job.
update job_alerts set keys = '{any}'
 where search ~ '[^a-zA-Z0-9 ]' and exists (select from unnest(keys) key where key like 'w:%');

drop index companies_by_words;
drop function company_words(text);
create index companies_by_words on companies using gin (text_words(description))
  with (gin_pending_list_limit = 256);
alter index companies_by_words alter column 1 set statistics 0;

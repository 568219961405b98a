-- Search for companies whose text contains another, in any place. See docs/decisions/0002.

-- What a text is made of after its first byte: its runs of one, two and three bytes in UTF-8, each a
-- number of its own (its bytes after a leading 1). A text that contains another further in has all
-- its grams; the one that begins with it is found by name, in companies_by_name. And which of the
-- letters a, b, c, e, h, l and p its first byte does not come after, as 2^25 and that letter: with
-- these the index can look among the early names alone.
create function company_grams(text) returns integer[]
  language sql immutable strict parallel restricted
  -- Dear enough that no plan works it out for many rows instead of using the index, not so dear
  -- that PostgreSQL compiles the statement first (JIT), which takes longer than the search. Parallel
  -- workers would take longer to begin, too.
  cost 500
  return (
    select array_agg(256 + gram / 65536) || array_agg(65536 + gram / 256)
        || array_agg(16777216 + gram)
        || array(
          select 33554432 + bound from unnest(array[97, 98, 99, 101, 104, 108, 112]) bound
           where get_byte(convert_to($1, 'UTF8') || '\x00'::bytea, 0) <= bound)
      from (
        select get_byte(bytes, i) * 65536 + get_byte(bytes, i + 1) * 256 + get_byte(bytes, i + 2) as gram
          -- Two bytes that no text has, so that the last ones begin grams too.
          from (select convert_to($1, 'UTF8') || '\x0000'::bytea as bytes offset 0) padded,
               generate_series(1, length(bytes) - 3) i
      ) grams);

-- Without a pending list: every search would have to read through it.
create index companies_by_gram on companies using gin (company_grams(search_text))
  with (fastupdate = off);
-- The server estimates how common a gram is (company-search.server.ts): statistics of them here
-- would make ANALYZE slow and help nobody.
alter index companies_by_gram alter column 1 set statistics 0;

-- The order of search results, with what is looked through beside it.
create index companies_by_name on companies (name_key, id) include (search_text);

-- So that the first byte of the one is the first byte of the other, in companies_by_gram.
alter table companies add constraint search_text_begins_with_name
  check (starts_with(search_text, name_key || chr(10)));

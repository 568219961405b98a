-- Search for companies whose text contains another, in any place. See docs/decisions/0002.

-- What a text is made of: its runs of one, two and three bytes in UTF-8, each a number of its own
-- (its bytes after a leading 1). A text that contains another has all its grams.
create function company_grams(text) returns integer[]
  language sql immutable strict parallel restricted
  -- It takes some 0.07 ms: no plan shall work it out for many rows instead of using the index, nor
  -- start parallel workers, who take longer to begin than a search takes.
  cost 10000
  return (
    select array_agg(256 | gram >> 16) || array_agg(65536 | gram >> 8) || array_agg(16777216 | gram)
      from (
        select get_byte(bytes, i) << 16 | get_byte(bytes, i + 1) << 8 | get_byte(bytes, i + 2) as gram
          -- Two bytes that no text has, so that the last ones begin grams too.
          from (select convert_to($1, 'UTF8') || '\x0000'::bytea as bytes offset 0) padded,
               generate_series(0, length(bytes) - 3) i
      ) grams);

-- Without a pending list: every search would have to read through it.
create index companies_by_gram on companies using gin (company_grams(search_text))
  with (fastupdate = off);
-- The server estimates how common a gram is (company-search.server.ts): statistics of them here
-- would make ANALYZE slow and help nobody.
alter index companies_by_gram alter column 1 set statistics 0;

-- The order of search results, with what is looked through beside it.
create index companies_by_name on companies (name_key, id) include (search_text);

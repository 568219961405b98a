-- compatible: older programs may go on
-- Words are found in more spellings (D44), and titles can be shorter in scripts that need few letters. Only rows with
-- such words are written again.

-- Without what people leave out when they type: marks of Arabic, Hebrew, Devanagari, Bengali, Gurmukhi and Gujarati, other
-- marks that are no part of a letter, tatweel, and how an emoji is to look. A Thai and a Lao vowel stay one character.
create or replace function words_folded(text) returns text
  language sql immutable strict parallel safe
  -- ASCII stays as it is, and takes no time.
  return case when octet_length($1) = char_length($1) then $1 else
    replace(replace(translate(regexp_replace(normalize(translate($1, 'ʼ‘´™℠', ''''''''), NFKC),
      '[\u00ad\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u200b-\u200f\u2060\u20e3\ufe00-\ufe0f\ufeff\U0001f3fb-\U0001f3ff]',
      '', 'g'), 'أإآٱؤئىیک‐‑‒–', 'ااااويييك----'), 'ํา', 'ำ'), 'ໍາ', 'ຳ') end;

-- A text in which PostgreSQL sees the words that people see. Without U+0001, and with these letters back in place of signs
-- (`piecesOf`), it reads as before. U+0001 stands between the letters of scripts that have no spaces, so that words are
-- found as phrases, and around signs within "node.js", "pay-bands" and addresses. The signs of "C++", "C#" and ".NET"
-- become letters, an emoji its number. Signs are listed, as what \w means depends on the database's locale. Names nothing
-- of ours, as indexes are built without our search path.
create or replace function words_apart(text) returns text
  language plpgsql immutable strict parallel safe as $$
declare
  said text := $1;
  emoji text;
begin
  if octet_length(said) > char_length(said) then
    -- A limit, as each reads the text again.
    for emoji in
      select distinct sign[1] from regexp_matches(said,
        '[\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]', 'g') sign limit 50
    loop
      said := replace(said, emoji, U&'\0001\2D58' || to_hex(ascii(emoji)) || U&'\0001');
    end loop;
    said := regexp_replace(translate(said, 'ς', 'σ'),
      '([\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff])',
      U&'\0001\\1\0001', 'g');
  end if;
  if strpos(said, '++') > 0 then
    said := regexp_replace(said, '(?<=\w)\+\+(?![[:alpha:]_])', U&'ᐩᐩ\0001', 'g');
  end if;
  if strpos(said, '#') > 0 then
    said := regexp_replace(said, '(?<=\w)#(?!\w)', 'ⵌ', 'g');
  end if;
  if said ilike '%.net%' then
    said := regexp_replace(said, '(?<![^\s(/,])\.(?=net(?!\w))', 'ꓸ', 'gi');
  end if;
  return regexp_replace(said,
    '(?<=[^\s"!#-/:-@[-`{-~\u00a1-\u00bf\u2010-\u205e])([!#-/:-@[-`{-~\u00a1-\u00bf\u2010-\u205e]+)(?=[^\s"!#-/:-@[-`{-~\u00a1-\u00bf\u2010-\u205e])',
    U&'\0001\\1\0001', 'g');
end $$;

-- "co-working", "node.js", "don't", "AT&T", "covid-19", "401(k)", "55,000" and ".NET" in one word each.
create or replace function words_joined(text) returns text
  language sql immutable strict parallel safe
  return regexp_replace(regexp_replace(regexp_replace(regexp_replace($1,
    '(?<=\d)[.,''](?=\d\d\d(?!\d))', '', 'g'),
    '(?<=\d)\(([a-z])\)', '\1', 'gi'),
    '(?<![^\s(/,])\.net(?!\w)', 'dotnet', 'gi'),
    '(?<=[^\s!-/:-@[-`{-~\u2010-\u205e])[-.''’&](?=[^\s\d!-/:-@[-`{-~\u2010-\u205e])|(?<=[^\s\d!-/:-@[-`{-~\u2010-\u205e])[-.''’&](?=\d)', '', 'g');

-- What a text is found by.
create or replace function text_words(text) returns tsvector
  language sql immutable strict parallel safe cost 1000
  return (
    select to_tsvector('every_word', words_apart(folded))
        || to_tsvector('every_word', coalesce(words_joined(nullif(array_to_string(
             array(select compound[1] from regexp_matches(folded,
               '[^\s!-/:-@[-`{-~\u2010-\u205e]+(?:[-.,''’&][^\s!-/:-@[-`{-~\u2010-\u205e]+)+', 'g') compound)
             || array(select compound[1] from regexp_matches(
               case when strpos(folded, '(') > 0 or folded ilike '%.net%' then folded else '' end,
               '\d+\([a-z]\)|(?<![^\s(/,])\.net(?!\w)', 'gi') compound), ' '), '')), ''))
      -- "offset 0": folded once.
      from (select words_folded($1) as folded offset 0) text);

-- What one way of writing a search asks for. Small words count in phrases and compounds such as "on-call", and where there
-- is nothing else. The end of "boss's" doesn't.
create function wanted_words(text) returns tsquery
  language plpgsql immutable strict parallel safe as $$
declare
  apart text := words_apart($1);
  telling text;
  words tsquery;
begin
  select string_agg(part, ' ' order by n) filter (where is_telling or lower(part) = 'or') into telling
    from (select part, n, part ~ '["\u0001]' or to_tsvector('telling_words', part) <> '' as is_telling
            from regexp_matches(apart, '-?"[^"]*"?|[^\s"]+', 'g') with ordinality typed(word, n),
                 regexp_replace(word[1], '^([^"]*)\u0001[''’]\u0001(s|t|d|m|ll|re|ve)$', '\1', 'i') part) part
  having bool_or(is_telling);
  words := websearch_to_tsquery('every_word',
    regexp_replace(coalesce(telling, ''), '^(or )+|( or)+$|( or)+(?= or )', '', 'gi'));
  if querytree(words) not in ('', 'T') then return words; end if;
  return websearch_to_tsquery('every_word', apart);
end $$;

-- What a search asks for. An address is found without the part that nobody reads.
create or replace function searched_words(text) returns tsquery
  language plpgsql immutable strict parallel safe as $$
declare
  folded text := regexp_replace(words_folded(translate($1, '“”„«»', '"""""')), '\mhttps?://(www\.)?', '', 'gi');
  joined text := words_joined(folded);
  words tsquery := wanted_words(folded);
begin
  -- What is to be missing would be found by the other way of writing.
  if joined = folded or words::text like '%!%' then return words; end if;
  return words || wanted_words(joined);
end $$;

-- Has what is found by other words than before. Dropped below.
create function is_respelled(text) returns boolean language sql immutable
  return $1 ~ '[ʼ‘´™℠ςำຳ\u0300-\u036f\u0591-\u05c7\u0610-\u06ed\u093c\u09bc\u0a3c\u0abc\u2010-\u2013\u231a-\u23ff\u2600-\u27bf\u2b00-\u2bff\ufe00-\ufe0f\U0001f000-\U0001faff]'
    or $1 ~* '[^\s!-/:-@[-`{-~]&[^\s!-/:-@[-`{-~]|\d\([a-z]\)|\.net(?!\w)|\+\+\d|\d[.,'']\d\d\d(?!\d)|[^\s!-/:-@[-`{-~][-.''’]\d|\d[-.''’][^\s!-/:-@[-`{-~]';
update threads set title = title, body = body where is_respelled(title) or is_respelled(body);
update comments set body = body where is_respelled(body);
update job_postings set title = title
 where is_respelled(title) or is_respelled(company_name) or is_respelled(job_words(tags)) or is_respelled(description);
update job_alerts set search = search where search is not null;
-- These look at every job, as their words may be others than before.
update job_alerts set keys = '{any}'
 where search ~ '[^a-zA-Z0-9 ]' and exists (select from unnest(keys) key where key like 'w:%');
drop function is_respelled;
reindex index companies_by_words;

alter table threads drop constraint threads_title_check,
  add constraint threads_title_check check (char_length(title) between 1 and 160);

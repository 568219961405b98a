-- compatible: older programs may go on
-- Plain facts about companies, beside what they do: new columns without a value rewrite no row.
alter table companies
  add column headquarters text check (char_length(headquarters) between 1 and 80),
  -- Of the headquarters, by ISO 3166-1
  add column country text check (country ~ '^[A-Z]{2}$'),
  -- How many people work there
  add column size text check (size in ('1-50', '51-200', '201-1000', '1001-5000', '5001-20000', '20001+')),
  add column founded smallint check (founded between 500 and 2200),
  add column ticker text check (char_length(ticker) between 1 and 20);

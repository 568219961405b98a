-- outside a transaction
-- compatible: older programs may go on
-- Ratings by credentials that name nobody. Decision 63.

-- What an account proves, with each renewal, that its secret is still the same. It hides the secret perfectly:
-- not even the keys of the site lead from here to a rating.
create table if not exists credential_commitments (
  account_id uuid primary key references accounts on delete cascade,
  commitment bytea not null check (length(commitment) = 33),
  -- Whoever lost the secret may begin anew half a year later.
  month date not null check (extract(day from month) = 1)
);

-- The secret for the other devices of its person, sealed in the browser. Always of one length, and not
-- written when somebody rates.
create table if not exists credential_vaults (
  account_id uuid primary key references accounts on delete cascade,
  sealed bytea not null check (length(sealed) = 1024)
);

-- Of a rating that was presented: SHA-256 of a key that only its holder can make.
alter table ratings add column if not exists holder bytea check (length(holder) = 32);
create index concurrently if not exists ratings_by_holder on ratings (holder) where holder is not null;

-- What somebody proves beside a password. No time, no counter, nothing that moves when somebody signs in.
-- An older program would ask nobody for it, so none goes on beside this one.
create table second_factors (
  id uuid primary key,
  account_id uuid not null references accounts on delete cascade,
  kind text not null check (kind in ('totp', 'webauthn')),
  is_verified boolean not null default false,
  -- Its name, and the secret of an app or the public key of a passkey, sealed for this row.
  sealed text not null
);
create index second_factors_by_account on second_factors (account_id);

-- Each opens an account once in place of a factor; a row goes when it is used.
create table recovery_codes (
  account_id uuid not null references accounts on delete cascade,
  -- Of a slow hash, under the site's key.
  code_hash text collate "C" not null,
  primary key (account_id, code_hash)
);

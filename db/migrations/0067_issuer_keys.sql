-- compatible: older programs may go on
-- A chain of keys that only grows. Browsers compare its digest, which is made of the public ones in order.
create table issuer_keys (
  nth integer primary key check (nth > 0),
  quarter text collate "C" not null unique check (quarter ~ '^\d{4}-Q[1-4]$'),
  public_key bytea not null check (octet_length(public_key) = 99),
  -- The private key. Null once no credential of its quarter is valid.
  sealed text
);

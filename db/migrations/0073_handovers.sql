-- compatible: older programs may go on
-- A secret on its way to its person's other device, sealed with a key that only the two have. For two minutes.
create table handovers (
  id bytea primary key check (octet_length(id) = 32),
  sealed bytea not null check (octet_length(sealed) = 16412),
  expires_at timestamptz not null
);

-- Companies that people miss. A request names an account or an address, so it keeps its day and an
-- order, and no time. Decisions 6 and 7.
create table company_requests (
  id uuid primary key default gen_random_uuid(),
  number bigint generated always as identity unique,
  company_name text not null check (char_length(company_name) between 1 and 120),
  company_website text check (char_length(company_website) <= 300),
  status text not null default 'pending' check (status in ('pending', 'approved', 'declined')),
  -- Of a member; whose account goes leaves a request of nobody.
  requested_by uuid references accounts on delete set null,
  -- Sealed, of a visitor who wants to hear of it. A member's address stays in the account alone.
  requester_email text,
  notify boolean not null default false,
  -- The owner got the mail about this request: one, whoever asks for it how often.
  is_told boolean not null default false,
  created_on date not null,
  -- What it became, or was there already.
  company_id uuid references companies on delete set null
);
create index company_requests_by_account on company_requests (requested_by)
  where requested_by is not null;
create index company_requests_by_company on company_requests (company_id)
  where company_id is not null;
-- Counted on every visit to the panel; a request is decided once, so it costs one move.
create index company_requests_pending on company_requests (number) where status = 'pending';

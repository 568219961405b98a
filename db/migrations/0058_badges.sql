-- outside a transaction
-- compatible: older programs may go on
-- Badges: "works at Acme" beside what somebody gives or writes. Decision 64.

-- That an address was confirmed in a quarter, so that it is not confirmed twice. Of whom it is, nothing says:
-- not the address, not an account, not when.
create table if not exists badge_holders (
  address_hash bytea primary key check (length(address_hash) = 32),
  -- Of the link that was used: the same one may be used again.
  link_hash bytea not null check (length(link_hash) = 32),
  domain text not null,
  quarter text not null check (quarter ~ '^\d{4}-Q[1-4]$')
);

-- Domains whose badges are shown: enough people had one in one quarter. Added to at night.
create table if not exists badge_domains (domain text primary key);

-- Of what was given or written with a badge: its domain, and beside a post the company that it was for.
alter table ratings add column if not exists badge_domain text;
alter table public_ratings add column if not exists badge_domain text;
alter table threads add column if not exists badge_domain text;
alter table threads add column if not exists badge_company_id uuid;
alter table comments add column if not exists badge_domain text;
alter table comments add column if not exists badge_company_id uuid;

create index concurrently if not exists public_ratings_by_badge
  on public_ratings (badge_domain, company_id) where badge_domain is not null;
create index concurrently if not exists threads_by_badge
  on threads (badge_domain) where badge_domain is not null;
create index concurrently if not exists comments_by_badge
  on comments (badge_domain, thread_id) where badge_domain is not null;

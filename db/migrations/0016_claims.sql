-- Claims: who says that they may act for a company, how that was shown, and until when it is kept.
-- No clock: days, and a number that gives the order.
alter table employer_claims
  add column number bigint generated always as identity,
  -- Null for those of before there was a way to claim: somebody wrote them by hand.
  add column claimed_on date,
  add column method text check (method in ('mail', 'dns')),
  -- The company's domain as it was when it was claimed; nothing is approved after it has changed.
  add column domain text,
  -- Sealed. Only while the claim waits.
  add column work_email_sealed text,
  -- Of the one link that works. Its end stands in the link itself, under the hash.
  add column link_hash text collate "C" unique,
  add column is_verified boolean not null default false,
  -- What the person says to the administrators: while it waits or is approved.
  add column note text not null default '' check (char_length(note) <= 1000),
  -- What an administrator says to the person who was declined.
  add column answer text not null default '' check (char_length(answer) <= 1000);

-- What was decided keeps nothing of how the claim was shown.
alter table employer_claims add constraint employer_claims_forget check (
  status = 'pending' or (work_email_sealed is null and link_hash is null and domain is null));

create index employer_claims_by_status on employer_claims (status, number);

-- Menus are an employer's while there is an approved claim, however the last one goes: revoked, left,
-- or with its company.
create function approved_claim_gone() returns trigger language plpgsql as $$
begin
  if old.status = 'approved' then
    update accounts set user_metadata = user_metadata - 'user_type'
     where id = old.account_id and user_metadata ? 'user_type'
       and not exists (select from employer_claims
                        where account_id = old.account_id and status = 'approved');
  end if;
  return null;
end $$;

create trigger approved_claim_gone
  after delete or update of status on employer_claims
  for each row execute function approved_claim_gone();

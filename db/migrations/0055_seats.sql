-- Several people act for one company: each approved claim is a seat, and one of them is the owner's, who
-- invites, removes and hands over. Decision 61.
alter table employer_claims
  add column is_owner boolean not null default false,
  -- The owner wants to hand the ownership over to this one, who has not said yes yet.
  add column is_offered boolean not null default false;

-- Until now all were equal: who came first owns.
update employer_claims claim set is_owner = true
 where status = 'approved' and number = (
   select min(number) from employer_claims other
    where other.company_id = claim.company_id and other.status = 'approved');

alter table employer_claims add constraint employer_claims_seat check (
  (status = 'approved' or not (is_owner or is_offered)) and not (is_owner and is_offered));
create unique index employer_claims_owner on employer_claims (company_id) where is_owner;
create unique index employer_claims_offer on employer_claims (company_id) where is_offered;

-- Whoever comes to act for a company that nobody owns, owns it; who ends owns nothing. So it is wherever
-- a claim comes from: an approval, a merge of two companies, a program of before there were seats.
create function seat_of_claim() returns trigger language plpgsql as $$
begin
  if new.status <> 'approved' then
    new.is_owner := false;
    new.is_offered := false;
  elsif tg_op = 'INSERT' or old.status <> 'approved' or old.company_id <> new.company_id then
    new.is_owner := not exists (select from employer_claims
                                 where company_id = new.company_id and is_owner and id <> new.id);
    new.is_offered := false;
  end if;
  return new;
end $$;

create trigger seat_of_claim
  before insert or update of status, company_id on employer_claims
  for each row execute function seat_of_claim();

-- An owner's account that goes leaves no company without one: who was offered the ownership has it, or
-- who is here longest.
create function owner_gone() returns trigger language plpgsql as $$
begin
  update employer_claims set is_owner = true, is_offered = false
   where id = (select id from employer_claims
                where company_id = old.company_id and status = 'approved'
                order by is_offered desc, number limit 1)
     and not exists (select from employer_claims where company_id = old.company_id and is_owner);
  return null;
end $$;

create trigger owner_gone
  after delete on employer_claims
  for each row when (old.is_owner) execute function owner_gone();
create trigger owner_moved
  after update of status, company_id on employer_claims
  for each row when (old.is_owner and (not new.is_owner or old.company_id <> new.company_id))
  execute function owner_gone();

-- Whom an owner asks to act for the company, too. Gone once it was answered, or after two weeks.
create table seat_invitations (
  id uuid primary key,
  company_id uuid not null references companies on delete cascade,
  -- The one that it was made for, where that became part of this one.
  merged_from uuid,
  -- A keyed hash of its own kind: without the key nobody finds the account that has the address.
  address_hash text collate "C" not null,
  email_sealed text not null,
  invited_on date not null,
  unique (company_id, address_hash)
);
create index seat_invitations_by_address on seat_invitations (address_hash);

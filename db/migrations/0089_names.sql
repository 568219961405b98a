-- Names that say what they hold, and the same ones as in the code.
create or replace function number_changed() returns trigger language plpgsql as $$ begin
  insert into used_numbers (own_row_key, until)
  values (old.own_row_key, date_trunc('month', now()) + interval '5 months') on conflict do nothing;
  return null;
end $$;

create or replace function number_used() returns trigger language plpgsql as $$ begin
  insert into used_numbers (own_row_key, until)
  select own_row_key, case tg_argv[0] when 'months' then date_trunc('month', now()) + interval '5 months' end
    from gone on conflict do nothing;
  return null;
end $$;

do $$
declare
  it record;
  known text;
begin
  for it in
    select * from (values
      -- The key of a row among its person's.
      ('threads', 'mine', 'own_row_key'),
      ('comments', 'mine', 'own_row_key'),
      ('saved_threads', 'mine', 'own_row_key'),
      ('saved_jobs', 'mine', 'own_row_key'),
      ('muted_threads', 'mine', 'own_row_key'),
      ('follows', 'mine', 'own_row_key'),
      ('job_alerts', 'mine', 'own_row_key'),
      ('notifications', 'mine', 'own_row_key'),
      ('suspensions', 'mine', 'own_row_key'),
      ('company_edits', 'mine', 'own_row_key'),
      ('used_numbers', 'mine', 'own_row_key'),
      -- Its person, sealed.
      ('threads', 'owner', 'person_sealed'),
      ('comments', 'owner', 'person_sealed'),
      ('thread_names', 'owner', 'person_sealed'),
      ('muted_threads', 'owner', 'person_sealed'),
      ('follows', 'owner', 'person_sealed'),
      ('job_alerts', 'owner', 'person_sealed'),
      ('digests', 'reader', 'account_hash'),
      -- SHA-256 of keys that only one browser makes, and which change of a rating it is.
      ('ratings', 'holder', 'holder_key_hash'),
      ('ratings', 'removal', 'removal_key_hash'),
      ('ratings', 'nth', 'version'),
      ('pay_entries', 'holder', 'holder_key_hash'),
      ('pay_entries', 'removal', 'removal_key_hash'),
      ('pay_entries', 'nth', 'version'),
      ('room_posts', 'holder', 'holder_key_hash'),
      -- Positions and numbers.
      ('room_posts', 'place', 'room_place'),
      ('room_posts', 'nth', 'place'),
      ('one_time_tokens', 'nth', 'link_number'),
      ('issuer_keys', 'nth', 'number'),
      ('moderation_cases', 'opened_nth', 'opened_number'),
      -- Which process may go on.
      ('nightly_run', 'holder', 'lease_id'),
      ('job_feeds', 'holder', 'lease_id'),
      ('job_feeds', 'held_until', 'leased_until'),
      ('company_merges', 'kept', 'snapshot'),
      ('threads', 'visitor_score', 'untrusted_score'),
      ('comments', 'visitor_score', 'untrusted_score')
    ) renamed (table_name, before, after)
  loop
    execute format('alter table %I rename column %I to %I', it.table_name, it.before, it.after);
    for known in
      select conname from pg_constraint
       where conrelid = it.table_name::regclass
         and starts_with(conname, it.table_name || '_' || it.before || '_')
    loop
      execute format('alter table %I rename constraint %I to %I', it.table_name, known,
        it.table_name || '_' || it.after || substr(known, length(it.table_name || '_' || it.before) + 1));
    end loop;
  end loop;
end $$;
alter table room_posts rename constraint room_posts_thread_id_nth_key to room_posts_thread_id_place_key;
alter index room_threads_by_place rename to room_threads_by_room_place;
alter index ratings_by_holder rename to ratings_by_holder_key_hash;
alter index pay_entries_by_holder rename to pay_entries_by_holder_key_hash;

alter table ruling_templates rename to note_templates;
alter table note_templates rename constraint ruling_templates_pkey to note_templates_pkey;
alter index ruling_templates_by_name rename to note_templates_by_name;

-- Votes of visitors and of members with an unconfirmed email are untrusted.
alter table votes
  drop constraint votes_state_check,
  alter column state drop default,
  alter column state type text
    using case state when 'proven' then 'trusted' when 'unproven' then 'untrusted' else state end,
  alter column state set default 'trusted',
  add constraint votes_state_check check (state in ('trusted', 'untrusted', 'held'));
update chosen_limits set name = replace(name, '-unproven', '-untrusted') where name like '%-unproven';

update moderation_log
   set before = before - 'sight' || jsonb_build_object('visibility', before -> 'sight')
 where before ? 'sight';

-- A code in place of a sentence. What went wrong is in the last run's note.
update job_feeds
   set paused = case when paused = 'Someone paused it.' then 'by-hand'
                     when paused like 'The person who added it %' then 'giver-gone'
                     else 'failures' end
 where paused is not null;
alter table job_feeds
  add constraint job_feeds_paused_check check (paused in ('by-hand', 'giver-gone', 'failures'));

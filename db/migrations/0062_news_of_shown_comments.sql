-- outside a transaction
-- compatible: older programs may go on
-- Of replies and mentions: the comments that were told of, newest first. Those that are shown are the news. No
-- reference, as with the threads of alerts: one that is gone is no news. Only older programs read latest_id.
alter table notifications
  add column if not exists comment_ids uuid[] not null default '{}' check (cardinality(comment_ids) <= 50);
do $$ begin
  loop
    update notifications set comment_ids = array[latest_id]
     where id in (select id from notifications
                   where latest_id is not null and comment_ids = '{}' limit 5000);
    exit when not found;
    commit;
  end loop;
end $$;
-- What they told of was deleted before.
delete from notifications where kind in ('reply', 'mention') and latest_id is null and count = 1;

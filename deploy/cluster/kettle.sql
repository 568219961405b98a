-- Once, on the primary, as `postgres`: the site's role and database. What a pooler in transaction mode drops from
-- a connection's start belongs to the role.
create role kettle login password '${KETTLE_PASSWORD}';
-- At night it lets go of the day's log.
grant pg_checkpoint to kettle;
alter role kettle set timezone = 'UTC';
alter role kettle set jit = off;
alter role kettle set max_parallel_workers_per_gather = 0;
alter role kettle set statement_timeout = '15s';
alter role kettle set idle_in_transaction_session_timeout = '60s';
create database kettle owner kettle encoding 'UTF8' locale 'C.UTF-8' template template0;

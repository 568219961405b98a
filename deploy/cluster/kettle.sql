-- Run this once, on the primary, as `postgres`. It creates the site's role and database. The role has the settings
-- that a pooler in transaction mode would drop when a connection starts.
create role kettle login password '${KETTLE_PASSWORD}';
-- Drops the day's log at night.
grant pg_checkpoint to kettle;
alter role kettle set timezone = 'UTC';
alter role kettle set jit = off;
alter role kettle set max_parallel_workers_per_gather = 0;
alter role kettle set statement_timeout = '15s';
alter role kettle set idle_in_transaction_session_timeout = '60s';
create database kettle owner kettle encoding 'UTF8' locale 'C.UTF-8' template template0;

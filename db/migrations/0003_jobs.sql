-- Work that follows from what was committed. A row goes when its work is done, so that nothing here
-- tells afterwards who asked for what, or when. See docs/decisions/0006.
create table job_queue (
  id uuid primary key default gen_random_uuid(),
  kind text not null check (char_length(kind) between 1 and 60),
  payload jsonb not null default '{}',
  -- From when on it may be taken. Whoever takes it moves this ahead, and on while the work lasts:
  -- the work of a process that died is due again by itself. Null: given up.
  due_at timestamptz,
  -- How often it was taken: only who took it last may finish it.
  attempts integer not null default 0,
  -- Work of the house that comes round: its row stays.
  recurs boolean not null default false
);

create index job_queue_by_due on job_queue (due_at);
create unique index job_queue_recurring on job_queue (kind) where recurs;

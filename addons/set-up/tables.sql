-- Tries of the settings by a superadmin.

-- Last try of the connections and of the mail server. A worker makes it and stores the answer.
create table set_up_try (
  what text primary key check (what in ('connections', 'mail')),
  -- Number of tries. A late answer of an earlier try is ignored.
  attempt integer not null default 1,
  tried_at timestamptz not null default portal_now(),
  -- Null while a worker tries. `answer` is then that of the try before.
  answered_at timestamptz,
  answer jsonb
);

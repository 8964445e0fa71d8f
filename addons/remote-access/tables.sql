-- Machines in the browser.

-- Permission to connect one session to one machine. A ticket is valid for one use within a minute.
create table remote_ticket (
  token_hash bytea primary key,
  session_hash bytea not null,
  user_id uuid not null references portal_user (id) on delete cascade,
  machine_id uuid not null,
  organisation_id uuid not null,
  created_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  -- True: the ticket allows watching the machine's learner instead of connecting.
  to_watch boolean not null default false,
  constraint remote_ticket_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id)
);
create index remote_ticket_expiry on remote_ticket (expires_at);
create index remote_ticket_user on remote_ticket (user_id);

-- Terminals and desktops, open or closed.
create table remote_session (
  id uuid default gen_random_uuid() primary key,
  session_hash bytea not null,
  user_id uuid references portal_user (id) on delete set null,
  email text not null,
  machine_id uuid not null,
  organisation_id uuid not null,
  opened_at timestamptz not null default portal_now(),
  -- Updated every few seconds by the process that holds the socket.
  seen_at timestamptz not null default portal_now(),
  closed_at timestamptz,
  -- Reason why it was closed, as shown to the user.
  ended text,
  kind text not null default 'terminal' check (kind in ('terminal', 'desktop', 'ssh')),
  -- True: the learner saw a notice about watching without consent when connecting.
  told_watched boolean not null default false,
  -- Address at which other API processes reach the process that holds the socket; null: no address.
  held_at text,
  -- Hash of the ticket of the session. The same page presents the ticket again for its second socket.
  ticket_hash bytea unique,
  constraint remote_session_check check ((closed_at is null) = (ended is null)),
  constraint remote_session_id_organisation_id_key unique (id, organisation_id),
  constraint remote_session_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id)
);
create index remote_session_closed on remote_session (machine_id, closed_at) where closed_at is not null;
create index remote_session_last on remote_session (session_hash, machine_id, opened_at) where kind = 'desktop';
create index remote_session_open on remote_session (machine_id, seen_at) where closed_at is null;
create index remote_session_user on remote_session (user_id);

-- Periods of input in a browser terminal or desktop. Short pauses are part of a period.
create table remote_input (
  remote_session_id uuid not null,
  organisation_id uuid not null,
  began_at timestamptz not null,
  ended_at timestamptz not null,
  constraint remote_input_check check (ended_at >= began_at),
  constraint remote_input_pkey primary key (remote_session_id, began_at),
  constraint remote_input_remote_session_id_organisation_id_fkey foreign key (remote_session_id, organisation_id)
    references remote_session (id, organisation_id) on delete cascade
);

-- Users who watch, or requested to watch, a terminal or desktop. The watched content is not stored.
create table remote_watch (
  id uuid default gen_random_uuid() primary key,
  terminal_id uuid not null,
  organisation_id uuid not null,
  session_hash bytea not null,
  user_id uuid references portal_user (id) on delete set null,
  email text not null,
  asked_at timestamptz not null default portal_now(),
  -- Time since which the watcher sees the screen; null: the learner has not consented.
  began_at timestamptz,
  closed_at timestamptz,
  -- Reason why watching ended, as shown to the user.
  ended text,
  -- Hash of the token for the desktop's picture; null for a terminal.
  view_hash bytea unique,
  constraint remote_watch_check check ((closed_at is null) = (ended is null)),
  constraint remote_watch_terminal_id_organisation_id_fkey foreign key (terminal_id, organisation_id)
    references remote_session (id, organisation_id) on delete cascade
);
create index remote_watch_open on remote_watch (asked_at) where closed_at is null;
create index remote_watch_terminal on remote_watch (terminal_id, organisation_id);
create index remote_watch_user on remote_watch (user_id);

-- Times from the user's click to the first prompt or frame, as measured by browsers.
create table remote_opening (
  -- Hash of the ticket. Each opening is counted once.
  ticket_hash bytea primary key,
  user_id uuid references portal_user (id) on delete set null,
  machine_id uuid not null,
  organisation_id uuid not null,
  kind text not null check (kind in ('terminal', 'desktop')),
  -- Copied from the machine, because times are grouped by size and region.
  size_name text not null,
  location text not null,
  milliseconds integer not null check (milliseconds > 0),
  measured_at timestamptz not null default portal_now(),
  constraint remote_opening_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);
create index remote_opening_age on remote_opening (measured_at);
create index remote_opening_machine on remote_opening (machine_id, measured_at desc);
create index remote_opening_measured on remote_opening (kind, size_name, location, measured_at desc) include (user_id,
  milliseconds);
create index remote_opening_user on remote_opening (user_id, measured_at);

-- File uploads and downloads, in progress or finished.
create table file_transfer (
  id uuid default gen_random_uuid() primary key,
  user_id uuid references portal_user (id) on delete set null,
  email text not null,
  -- Session that transferred the last piece. The transfer pauses when the session ends. Another session of the user
  -- can resume it.
  session_hash bytea not null,
  machine_id uuid not null,
  organisation_id uuid not null,
  direction text not null check (direction in ('upload', 'download')),
  path text not null,
  -- Size in bytes; null for a download that has not started.
  size integer check (size >= 0),
  done integer not null default 0,
  -- For an upload: hash of the hashes of all received pieces.
  digest bytea,
  replaces boolean not null default false,
  asked_at timestamptz not null default portal_now(),
  moved_at timestamptz not null default portal_now(),
  ended_at timestamptz,
  -- Outcome of the transfer, as shown to the user.
  result text,
  constraint file_transfer_check check (done >= 0 and done <= size),
  constraint file_transfer_check1 check ((ended_at is null) = (result is null)),
  constraint file_transfer_check2 check (direction = 'download' or size is not null),
  constraint file_transfer_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id)
);
create index file_transfer_machine on file_transfer (machine_id);
create index file_transfer_open on file_transfer (moved_at) where ended_at is null;
create index file_transfer_user on file_transfer (user_id, asked_at desc);

-- Activity of a machine. These columns change every minute, so they are not in machine, whose rows the reconciler
-- locks.
create table machine_activity (
  machine_id uuid primary key,
  organisation_id uuid not null,
  -- Last input in a terminal.
  input_at timestamptz,
  -- Percentage CPU of the last measured minute, and the end of this minute.
  cpu_percent double precision check (
      (cpu_percent >= (0)::double precision)
      and (cpu_percent <= (100)::double precision)
    ),
  cpu_at timestamptz,
  -- End of the last minute in which the CPU was in use.
  busy_at timestamptz,
  -- Time at which the learner last confirmed to be present.
  here_at timestamptz,
  -- Time at which the learner was warned, and time at which the idle machine is stopped.
  warned_at timestamptz,
  stops_at timestamptz,
  -- Bit n is set if the machine was used in the minute that began n minutes before `active_at`.
  active_minutes integer not null default 0 check (active_minutes >= 0 and active_minutes <= 1023),
  active_at timestamptz,
  constraint machine_activity_check check ((cpu_percent is null) = (cpu_at is null)),
  constraint machine_activity_check1 check ((warned_at is null) = (stops_at is null)),
  constraint machine_activity_check2 check (stops_at >= (warned_at + '00:10:00'::interval)),
  constraint machine_activity_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);
create index machine_activity_warned on machine_activity (stops_at) where stops_at is not null;

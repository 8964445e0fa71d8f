-- Registration links.

-- A link by which learners of an organisation register for a training.
create table registration_link (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null,
  training_id uuid not null,
  name text not null check (name = btrim(name) and name <> ''),
  code_hash bytea not null unique check (length(code_hash) = 32),
  -- Encrypted code of the link.
  code bytea not null,
  seats integer not null check (seats >= 1 and seats <= 1000),
  opens_at timestamptz,
  closes_at timestamptz,
  -- E-mail domains that may register; empty: every domain.
  domains text[] not null,
  needs_approval boolean not null,
  -- True if each seat includes a machine. The template is null if it was deleted.
  with_machine boolean not null,
  template_id uuid references template (id) on delete set null,
  allotted_minutes integer check (allotted_minutes > 0),
  guacamole boolean not null,
  -- Reason why the last attempt gave the waiting list no seat.
  problem text,
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  revoked_at timestamptz,
  revoked_by text,
  constraint registration_link_check check (closes_at > opens_at),
  constraint registration_link_check1 check (
      with_machine
      or template_id is null and allotted_minutes is null and (not guacamole)
    ),
  constraint registration_link_check2 check ((revoked_at is null) = (revoked_by is null)),
  constraint registration_link_id_organisation_id_key unique (id, organisation_id),
  constraint registration_link_id_organisation_id_seats_key unique (id, organisation_id, seats),
  constraint registration_link_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade
);
create index registration_link_template on registration_link (template_id) where template_id is not null;
create index registration_link_training on registration_link (training_id);

-- A seat that somebody took or waits for through a registration link.
create table registration (
  link_id uuid not null,
  organisation_id uuid not null,
  user_id uuid not null references portal_user (id) on delete cascade,
  state text not null check (state in ('seated', 'pending', 'waiting', 'declined')),
  -- Number of the user's seat. The next column is the link's number of seats. A link cannot have more users than
  -- seats.
  seat integer,
  link_seats integer not null,
  is_pseudonym boolean not null,
  registered_at timestamptz not null default portal_now(),
  decided_at timestamptz,
  decided_by text,
  constraint registration_check check ((state = 'seated') = (seat is not null)),
  constraint registration_check1 check (seat >= 1 and seat <= link_seats),
  constraint registration_check2 check ((decided_at is null) = (decided_by is null)),
  constraint registration_pkey primary key (link_id, user_id),
  constraint registration_link_id_seat_key unique (link_id, seat),
  constraint registration_link_id_organisation_id_link_seats_fkey foreign key (link_id, organisation_id, link_seats)
    references registration_link (id, organisation_id, seats) on update cascade on delete cascade
);
create index registration_user on registration (user_id);
create index registration_waiting on registration (link_id, registered_at) where state = 'waiting';

-- E-mails to addresses that may register. The account is created when the link in the e-mail is used.
create table registration_email (
  id uuid primary key,
  link_id uuid not null,
  organisation_id uuid not null,
  email text not null check (email = lower(email)),
  sent_at timestamptz not null default portal_now(),
  expires_at timestamptz not null,
  used_at timestamptz,
  constraint registration_email_check check (expires_at > sent_at),
  constraint registration_email_link_id_organisation_id_fkey foreign key (link_id, organisation_id)
    references registration_link (id, organisation_id) on delete cascade
);
create index registration_email_address on registration_email (email, sent_at);
create index registration_email_expiry on registration_email (expires_at);

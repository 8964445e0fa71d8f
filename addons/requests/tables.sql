-- Requests of instructors.

-- What an instructor asked an admin to change, until it is decided.
create table change_request (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id),
  kind text not null check (kind in ('hours', 'quota', 'admin')),
  training_id uuid,
  machine_id uuid,
  minutes integer check (minutes > 0),
  -- Address of the requested admin.
  email text check (length(email) >= 3 and length(email) <= 254),
  reason text not null check (reason <> ''),
  -- User who made the request.
  asked_by uuid not null,
  asked_at timestamptz not null default portal_now(),
  state text not null default 'open' check (state in ('open', 'approved', 'refused', 'withdrawn')),
  decided_by text,
  decided_at timestamptz,
  -- Reason for a refusal.
  answer text,
  constraint change_request_check check ((kind = 'admin') = (training_id is null)),
  constraint change_request_check1 check ((kind = 'admin') = (minutes is null)),
  constraint change_request_check2 check ((kind = 'admin') = (email is not null)),
  constraint change_request_check3 check ((kind = 'hours') = (machine_id is not null)),
  constraint change_request_check4 check (
      ((state = 'open') = (decided_by is null))
      and ((decided_by is null) = (decided_at is null))
    ),
  constraint change_request_check5 check ((state = 'refused') = (answer is not null)),
  constraint change_request_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id),
  constraint change_request_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id),
  constraint change_request_asked_by_organisation_id_fkey foreign key (asked_by, organisation_id)
    references portal_user (id, organisation_id) on delete cascade
);
create index change_request_by on change_request (asked_by, asked_at desc);
create index change_request_decided on change_request (decided_at) where state <> 'open';
create unique index change_request_of_admin on change_request (organisation_id, email) where state = 'open';
create unique index change_request_of_machine on change_request (machine_id) where state = 'open';
create unique index change_request_of_training on change_request (training_id) where state = 'open'
  and kind = 'quota';
create index change_request_open on change_request (asked_at) where state = 'open';

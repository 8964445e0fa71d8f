-- Erasures of persons.

-- Erasures of persons, with what was erased, kept as evidence.
create table person_erasure (
  id uuid default gen_random_uuid() primary key,
  -- Number in the pseudonym, such as 7 in erased-7@erased.invalid.
  number bigint generated always as identity not null unique,
  -- Organisation whose rows the erasure covers; null: the erasure covers the whole portal.
  organisation_id uuid references organisation (id),
  -- Null once the erasure is done.
  email text check (email = lower(email)),
  -- E-mail address of the user who requested the erasure.
  asked_by text not null,
  asked_at timestamptz not null default portal_now(),
  tried_at timestamptz,
  -- Reason why the last attempt failed.
  problem text,
  done_at timestamptz,
  -- Number of rows by table.
  report jsonb,
  constraint person_erasure_check check ((done_at is null) = (email is not null)),
  constraint person_erasure_check1 check ((done_at is null) = (report is null))
);
create index person_erasure_organisation on person_erasure (organisation_id, asked_at);
create unique index person_erasure_pending on person_erasure (email) where done_at is null;

-- Days after which rows of an organisation are deleted.
create table organisation_privacy (
  organisation_id uuid primary key references organisation (id) on delete cascade,
  -- Shown to learners and in invitations. Null: not stated.
  responsible text check (responsible <> ''),
  contact text check (contact <> ''),
  purpose text check (purpose <> ''),
  notice_url text check (notice_url ~ '^https://' and char_length(notice_url) <= 500),
  -- Days after which rows are deleted. Null: the installation's rules apply.
  activity_days integer check (activity_days >= 1 and activity_days <= 3650),
  attendance_days integer check (attendance_days >= 1 and attendance_days <= 3650),
  email_days integer check (email_days >= 1 and email_days <= 3650),
  sign_in_days integer check (sign_in_days >= 1 and sign_in_days <= 3650),
  webhook_days integer check (webhook_days >= 1 and webhook_days <= 3650)
);

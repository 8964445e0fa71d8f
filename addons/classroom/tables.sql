-- The class while it runs.

-- Learners who wait for an instructor.
create table raised_hand (
  training_id uuid not null,
  organisation_id uuid not null,
  email text not null check (email = lower(email)),
  raised_at timestamptz not null default portal_now(),
  reason text check (reason in ('stuck', 'question', 'slow')),
  constraint raised_hand_pkey primary key (training_id, email),
  constraint raised_hand_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade
);

-- The current announcement of a training. A new announcement replaces it.
create table announcement (
  training_id uuid primary key,
  organisation_id uuid not null,
  text text not null check (text = btrim(text) and text <> ''),
  made_by text not null,
  made_at timestamptz not null default portal_now(),
  ends_at timestamptz not null,
  constraint announcement_check check (ends_at > made_at),
  constraint announcement_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade
);

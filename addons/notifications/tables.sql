-- Notifications in the portal.

-- Written in the transaction of the event.
create table notification (
  id uuid default gen_random_uuid() primary key,
  organisation_id uuid not null references organisation (id) on delete cascade,
  training_id uuid,
  -- Chosen by the module that tells it.
  kind text not null check (kind ~ '^[a-z_-]+\.[a-z_-]+$'),
  -- 'class': admins of the organisation and instructors of the training.
  audience text not null check (audience in ('class', 'admins', 'superadmins', 'person')),
  -- The user that the event is about: the learner who raised a hand, the user who sent a request, or the invited
  -- user.
  about_user uuid,
  text text not null check (text <> ''),
  -- Path of a screen.
  link text not null check (link ~ '^/[^/]'),
  -- Reports what was expected, so it is not counted as unread.
  routine boolean not null default false,
  created_at timestamptz not null default portal_now(),
  constraint notification_check check (audience <> 'person' or about_user is not null),
  constraint notification_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id) on delete cascade,
  constraint notification_about_user_organisation_id_fkey foreign key (about_user, organisation_id)
    references portal_user (id, organisation_id) on delete cascade
);
create index notification_about on notification (about_user);
create index notification_created on notification (created_at);
create index notification_organisation on notification (organisation_id, created_at desc);
create index notification_superadmins on notification (created_at desc) where audience = 'superadmins';

-- Who has read a notification.
create table notification_read (
  notification_id uuid not null references notification (id) on delete cascade,
  user_id uuid not null references portal_user (id) on delete cascade,
  constraint notification_read_pkey primary key (notification_id, user_id)
);
create index notification_read_user on notification_read (user_id);

-- Machines that trainings keep ready.

-- How many machines of which template a training keeps ready.
create table ready_pool (
  training_id uuid primary key,
  organisation_id uuid not null,
  -- Null: the template was deleted.
  template_id uuid references template (id) on delete set null,
  machine_count integer not null check (machine_count between 1 and 50),
  power text not null check (power in ('running', 'stopped')),
  guacamole boolean not null,
  set_by text not null,
  -- Why machines are not added or do not run; null: they are.
  paused text,
  constraint ready_pool_training_id_organisation_id_fkey foreign key (training_id, organisation_id)
    references training (id, organisation_id)
);
create index ready_pool_template on ready_pool (template_id) where template_id is not null;

-- A spare of a training. The row is deleted when an order takes the machine, and when it is to be deleted.
create table pool_machine (
  machine_id uuid primary key,
  organisation_id uuid not null,
  training_id uuid not null,
  -- The template as it was when the machine was added. No order takes a machine of an earlier revision.
  template_id uuid not null,
  revision integer not null,
  constraint pool_machine_machine_id_organisation_id_fkey foreign key (machine_id, organisation_id)
    references machine (id, organisation_id) on delete cascade
);
create index pool_machine_training on pool_machine (training_id);

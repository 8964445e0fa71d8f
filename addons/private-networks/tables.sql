-- Private networks and their gateways.

-- A private network of a customer and the gateway through which its machines are reached.
create table private_network (
  id uuid default gen_random_uuid() primary key,
  name text not null check (name = btrim(name) and name <> ''),
  route text not null check (route in ('gateway', 'peering')),
  -- The only addresses to which the portal connects in this network.
  ranges text[] not null check (cardinality(ranges) >= 1 and cardinality(ranges) <= 32),
  created_at timestamptz not null default portal_now(),
  -- Encrypted Ed25519 key that signs tickets for the agent. The next column is the public key, which the agent pins.
  ticket_key bytea,
  ticket_public_key bytea check (length(ticket_public_key) = 32),
  -- Hash of the token that enrols one agent, once.
  enrolment_hash bytea,
  enrolment_expires_at timestamptz,
  -- Public key of the enrolled agent; null: no agent is enrolled.
  agent_key bytea check (length(agent_key) = 32),
  enrolled_at timestamptz,
  -- ID of the agent's connection. Each new connection replaces it.
  connection uuid,
  -- URL of the API process to which the agent is connected.
  held_at text,
  connected_at timestamptz,
  seen_at timestamptz,
  agent_version text,
  agent_address text,
  agent_ranges text[],
  duplicate_seen_at timestamptz,
  -- Addresses of both processes.
  duplicate_addresses text[] check (cardinality(duplicate_addresses) >= 1 and cardinality(duplicate_addresses) <= 2),
  constraint private_network_check check ((route = 'gateway') = (ticket_key is not null)),
  constraint private_network_check1 check ((ticket_key is null) = (ticket_public_key is null)),
  constraint private_network_check2 check ((enrolment_hash is null) = (enrolment_expires_at is null)),
  constraint private_network_check3 check ((agent_key is null) = (enrolled_at is null)),
  constraint private_network_check4 check (
      connection is null
      or agent_key is not null and held_at is not null and seen_at is not null
    ),
  constraint private_network_check5 check (
      route = 'gateway'
      or num_nonnulls(enrolment_hash, agent_key, connection) = 0
    ),
  constraint private_network_check6 check ((duplicate_seen_at is null) = (duplicate_addresses is null)),
  constraint private_network_check7 check (duplicate_seen_at is null or agent_key is not null)
);
create unique index private_network_name on private_network (comparison_key(name));

-- The network of the machines that are ordered from a template.
alter table template
  add column private_network_id uuid references private_network (id),
  add constraint template_in_network check ((private_network_id is not null) = (address_kind = 'private address'));
create index template_private_network on template (private_network_id) where private_network_id is not null;

alter table machine
  add column private_network_id uuid references private_network (id),
  add constraint machine_in_network check ((private_network_id is not null) = (address_kind = 'private address'));
create index machine_private_network on machine (private_network_id) where private_network_id is not null;

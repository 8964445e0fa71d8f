import { type Kysely, sql } from 'kysely'

/** Adds private networks, whose machines have no public address, and the gateway agents that reach these machines. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
create table private_network (
  id uuid primary key default gen_random_uuid(),
  name text not null check (name = btrim(name) and name <> ''),
  route text not null check (route in ('gateway', 'peering')),
  -- The only addresses to which the portal connects in this network.
  ranges text[] not null check (cardinality(ranges) between 1 and 32),
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

  -- ID of the agent's connection. A new connection replaces it. Tickets are valid for this connection only.
  connection uuid,
  -- URL of the API process to which the agent is connected.
  held_at text,
  connected_at timestamptz,
  seen_at timestamptz,
  agent_version text,
  agent_address text,
  agent_ranges text[],

  check ((route = 'gateway') = (ticket_key is not null)),
  check ((ticket_key is null) = (ticket_public_key is null)),
  check ((enrolment_hash is null) = (enrolment_expires_at is null)),
  check ((agent_key is null) = (enrolled_at is null)),
  check (connection is null or (agent_key is not null and held_at is not null and seen_at is not null)),
  check (route = 'gateway' or num_nonnulls(enrolment_hash, agent_key, connection) = 0)
);
create unique index private_network_name on private_network (comparison_key(name));

-- Null: the machines have public addresses. The value is copied to the machine, like the rest of its configuration.
alter table template add column private_network_id uuid references private_network (id);
alter table machine add column private_network_id uuid references private_network (id);
create index template_private_network on template (private_network_id) where private_network_id is not null;
create index machine_private_network on machine (private_network_id) where private_network_id is not null;
`,
    )
    .execute(db)
}

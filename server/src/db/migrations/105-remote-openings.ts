import { type Kysely, sql } from 'kysely'

/** The waits for machines in the browser, from the click to the first prompt or frame, as the browsers measured them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table remote_opening (
      -- Of the ticket that opened it: each is measured once.
      ticket_hash bytea primary key,
      user_id uuid references portal_user (id) on delete set null,
      machine_id uuid not null,
      organisation_id uuid not null,
      kind text not null check (kind in ('terminal', 'desktop')),
      -- Of the machine at that time: what openings are measured by.
      vm_size text not null,
      location text not null,
      milliseconds integer not null check (milliseconds > 0),
      measured_at timestamptz not null default portal_now(),
      foreign key (machine_id, organisation_id) references machine (id, organisation_id) on delete cascade
    );
    create index remote_opening_measured on remote_opening (kind, vm_size, location, measured_at desc)
      include (user_id, milliseconds);
    create index remote_opening_machine on remote_opening (machine_id, measured_at desc);
    create index remote_opening_user on remote_opening (user_id, measured_at);
    create index remote_opening_age on remote_opening (measured_at);
  `.execute(db)
}

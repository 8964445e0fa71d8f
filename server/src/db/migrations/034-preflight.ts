import { type Kysely, sql } from 'kysely'

/** The cloud's offers by place are read now and then, so that an order can be refused in a sentence before it is made. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cloud_place (
      location text primary key,
      looked_at timestamptz not null
    );
    create table cloud_size (
      location text not null references cloud_place (location) on delete cascade,
      size text not null,
      family text not null,
      cores integer not null check (cores > 0),
      -- null: it is offered; else the provider's reason why not.
      withheld text,
      primary key (location, size)
    );
    create table cloud_limit (
      location text not null references cloud_place (location) on delete cascade,
      -- 'cores' for all together, or a family of sizes.
      family text not null,
      used integer not null check (used >= 0),
      allowed integer not null check (allowed >= 0),
      primary key (location, family)
    );
    create table cloud_terms (
      publisher text not null,
      product text not null,
      plan text not null,
      accepted boolean not null,
      looked_at timestamptz not null,
      primary key (publisher, product, plan)
    );
    insert into sweep (name) values ('offers');
  `.execute(db)
}

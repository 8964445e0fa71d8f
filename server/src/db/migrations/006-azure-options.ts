import { type Kysely, sql } from 'kysely'

/** Tags and settings of machines that the policies of a customer's subscription require. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
alter table organisation add azure_tags jsonb not null default '{}' check (jsonb_typeof(azure_tags) = 'object');

alter table template
  add azure_tags jsonb not null default '{}' check (jsonb_typeof(azure_tags) = 'object'),
  add disk_sku text not null default 'StandardSSD_LRS'
    check (disk_sku in ('Standard_LRS', 'StandardSSD_LRS', 'StandardSSD_ZRS', 'Premium_LRS', 'Premium_ZRS')),
  add disk_encryption_set text check (disk_encryption_set <> ''),
  add encryption_at_host boolean not null default false,
  add boot_diagnostics boolean not null default false;

-- A machine has a copy of its template's values.
alter table machine
  add azure_tags jsonb not null default '{}' check (jsonb_typeof(azure_tags) = 'object'),
  add disk_sku text not null default 'StandardSSD_LRS'
    check (disk_sku in ('Standard_LRS', 'StandardSSD_LRS', 'StandardSSD_ZRS', 'Premium_LRS', 'Premium_ZRS')),
  add disk_encryption_set text check (disk_encryption_set <> ''),
  add encryption_at_host boolean not null default false,
  add boot_diagnostics boolean not null default false;
`,
    )
    .execute(db)
}

import { type Kysely, sql } from 'kysely'

/**
 * Rejects a manually entered number in the format of the document series, because a later document would need the same
 * number. Older entries remain. hasSeriesForm in contract tests the same format.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      String.raw`
alter table ledger_entry add constraint ledger_entry_typed_number check (source <> 'manual'
  or kind not in ('invoice', 'payment')
  or replace(comparison_key(reference), ' ', '') !~ '^[a-z0-9]{1,4}[/\u2044\u2215\u29F8][0-9]{2}-[0-9]{2}[/\u2044\u2215\u29F8][0-9]{5}$')
  not valid;
`,
    )
    .execute(db)
}

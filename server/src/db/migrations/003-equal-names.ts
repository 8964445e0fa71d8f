import { type Kysely, sql } from 'kysely'

/**
 * Treats names and numbers that look the same as equal: `comparison_key` compares them. Also adds the time of an
 * account's first sign-in, because an organisation that verifies a domain gets the unused accounts of that domain.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(FUNCTION).execute(db)
  for (const unique of UNIQUE) await sql.raw(indexOf(unique)).execute(db)
  await sql.raw(LEDGER).execute(db)
  await sql.raw(FIRST_SIGN_IN).execute(db)
}

// Normalises a text: NFKC, lower case, no characters without a glyph, single spaces. comparison-key.ts in contract
// returns the same key.
const FUNCTION = String.raw`
create function comparison_key(words text) returns text immutable strict parallel safe
return btrim(regexp_replace(
  normalize(translate(lower(normalize(
    regexp_replace(words, '[\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\uFFF0-\uFFFB\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]', '', 'g'),
    NFKD)), 'ς‐‑‒–—―−‘’‛ʼ′“”‟', 'σ-------''''''''''"""'), NFKC),
  '[\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u2800\u3000]+', ' ', 'g'));
`

interface Unique {
  readonly table: string
  /** Name of the index. The index replaces an existing index with the same name. */
  readonly index: string
  /** Columns within which names are unique; empty: names are unique in the whole table. */
  readonly within: string
  readonly where: string
}

const UNIQUE: readonly Unique[] = [
  { table: 'organisation', index: 'organisation_name', within: '', where: 'where removed_at is null' },
  { table: 'template', index: 'template_name_any_case', within: '', where: '' },
  { table: 'training', index: 'training_name', within: 'organisation_id, ', where: '' },
  { table: 'passkey', index: 'passkey_name', within: 'user_id, ', where: '' },
]

/**
 * Existing names that look like an older name remain and are numbered from 1. New names have number 0, so that a
 * duplicate is rejected.
 */
const indexOf = ({ table, index, within, where }: Unique): string => `
alter table ${table} add column look_alike integer not null default 0;
update ${table} set look_alike = place - 1 from (
  select id, row_number() over (partition by ${within}comparison_key(name) order by created_at, id) as place
  from ${table} ${where}
) named where named.id = ${table}.id and place > 1;
drop index if exists ${index};
create unique index ${index} on ${table} (${within}comparison_key(name), look_alike) ${where};
`

// The index is not unique, because IDs of the payment provider differ in case only, and older entries may look the
// same.
const LEDGER = `
create index ledger_entry_key on ledger_entry (organisation_id, kind, comparison_key(reference));
`

// Earlier sign-ins were not recorded. If another person chose an account's password, the account may already have been
// used.
const FIRST_SIGN_IN = `
-- First sign-in; null: the user has never signed in.
alter table portal_user add column signed_in_at timestamptz;
update portal_user set signed_in_at = created_at where password_hash is not null;
`

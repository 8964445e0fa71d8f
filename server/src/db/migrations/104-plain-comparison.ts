import { type Kysely, sql } from 'kysely'

/** Compares names by NFKC and case, without characters of no width, and no longer numbers names that looked alike. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(STATEMENTS).execute(db)
}

const STATEMENTS = String.raw`
create or replace function comparison_key(words text) returns text immutable strict parallel safe
return btrim(regexp_replace(
  normalize(replace(lower(normalize(
    regexp_replace(words, '[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFE00-\uFE0F\uFEFF]', '', 'g'),
    NFKD)), 'ς', 'σ'), NFKC),
  ' +', ' ', 'g'));
alter table organisation drop column look_alike;
alter table template drop column look_alike;
alter table training drop column look_alike;
alter table passkey drop column look_alike;
create unique index organisation_name on organisation (comparison_key(name)) where removed_at is null;
create unique index template_name_any_case on template (comparison_key(name));
create unique index training_name on training (organisation_id, comparison_key(name));
create unique index passkey_name on passkey (user_id, comparison_key(name));
reindex table private_network;
reindex table api_key;
reindex table lms_platform;
reindex table scim_token;
reindex table customer_ledger;
`

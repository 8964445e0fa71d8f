import { type Kysely, sql } from 'kysely'

/**
 * Adds links that confirm a change of an account which its organisation requested, and marks the directory users whose
 * account existed before.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(CONFIRMED_CHANGES).execute(db)
}

const CONFIRMED_CHANGES = `
alter table invitation
  drop constraint invitation_purpose_check,
  -- 'address' confirms a new address of the account, 'provider' the link to an identity at the organisation's provider.
  add constraint invitation_purpose_check check (purpose in ('invitation', 'password', 'address', 'provider')),
  add new_email text,
  add issuer text,
  add subject text,
  add constraint invitation_names_change check (
    (new_email is not null) = (purpose = 'address')
    and (issuer is not null) = (purpose = 'provider') and (subject is not null) = (purpose = 'provider'));

-- True for an account that the directory did not create.
alter table scim_user add adopted boolean not null default false;
update scim_user s set adopted = true from portal_user u where u.id = s.user_id and u.created_at < s.created_at;
`

import { type Kysely, sql } from 'kysely'

/**
 * Adds sessions that start unconfirmed, and records which superadmins could have taken over which accounts. For
 * existing accounts, these records are derived from the audit rows that are not archived.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(
      `
-- Null for a sign-in with a single factor at an organisation's identity provider.
alter table session alter confirmed_at drop not null;

-- Superadmins who created or promoted an account or reset its second factors, and could therefore control the account.
-- There are no foreign keys, because a chain of accounts must remain known after one of them is deleted.
create table account_control (
  user_id uuid not null,
  controlled_by uuid not null check (controlled_by <> user_id),
  reason text not null check (reason in ('created', 'promoted', 'reset')),
  since timestamptz not null default portal_now(),
  primary key (user_id, controlled_by)
);

insert into account_control (user_id, controlled_by, reason, since)
  select distinct on (u.id, a.actor_id) u.id, a.actor_id,
    case a.call when 'people.change' then 'promoted' when 'secondFactor.confirmReset' then 'reset' else 'created' end, a.at
  from portal_user u join audit a on lower(a.detail -> 'body' ->> 'email') = u.email
  where u.role = 'superadmin' and a.refused is null and a.at >= u.created_at and a.actor_id <> u.id
    and (a.call in ('user.create', 'user.invite', 'secondFactor.confirmReset')
      or (a.call = 'people.change' and a.detail -> 'body' ->> 'userType' = 'superadmin'))
  order by u.id, a.actor_id, a.id;
`,
    )
    .execute(db)
}

import { sql } from 'kysely'
import type { OrganisationId, ScimUserId, UserId } from '@trainyard/contract/words/ids.ts'
import { conflict } from '../../core/errors.ts'
import type { Db, Tx } from '../../db/schema.ts'
import { requireAnotherAdmin, requireAnotherSuperadmin } from '../people/organisation/last-admin.ts'

/** User of an LMS. Subjects are often small numbers: each LMS has a user 2. */
interface LmsIdentity {
  readonly platform: string
  readonly subject: string
}

/** Identifiers of a person in the portal's tables. */
export interface Person {
  readonly users: readonly UserId[]
  /**
   * Addresses in lower case, of the user and of lab users. Includes those in the organisation's directory, but only
   * in a domain that the organisation has verified and only if they belong to no other user, because a directory can
   * contain any text.
   */
  readonly addresses: readonly string[]
  readonly names: readonly string[]
  readonly lmsIdentities: readonly LmsIdentity[]
  readonly scimUsers: readonly ScimUserId[]
}

/**
 * Returns the identifiers of the person who is the user or lab user with this address.
 * @param organisation organisation whose users, names and addresses are read; null: all organisations, and lab users
 */
export async function personOf(db: Db, email: string, organisation: OrganisationId | null): Promise<Person> {
  const { rows } = await sql<Person>`
    with portal as (select id, name from portal_user
        where email = ${email} and (${organisation}::uuid is null or organisation_id = ${organisation}::uuid)),
      directory as (select id, organisation_id, user_name, emails, data from scim_user where user_id in (select id from portal)),
      lab as (
        select email, personal_email from (select email, personal_email, account_id from azure_user
          union select email, personal_email, account_id from aws_user) as users
        where ${organisation}::uuid is null
          and (personal_email = ${email} or email = ${email} or account_id in (select id from portal))),
      listed as (
        select organisation_id, lower(unnest(user_name || emails)) as address from directory),
      lms_user as (select p.id as platform, i.subject from lms_identity i
        join lms_platform p on p.issuer = i.issuer and p.organisation_id = i.organisation_id
        where i.user_id in (select id from portal)),
      name as (
        select name from portal
        union select name from roster_member where email = ${email}
          and (${organisation}::uuid is null or organisation_id = ${organisation}::uuid)
        union select m.name from lms_member m join lms_course c on c.id = m.course_id
          join lms_user s on s.subject = m.subject and s.platform = c.platform_id
        union select data ->> 'displayName' from directory
        union select data -> 'name' ->> 'formatted' from directory)
    select array(select id from portal) as users,
      array(select distinct lower(address) from (
        select ${email}::text as address
        union select l.address from listed l
          join organisation_domain d on d.organisation_id = l.organisation_id and d.verified_at is not null
            and l.address ~ '^[^@[:space:]]+@[^@[:space:]]+$' and d.domain = split_part(l.address, '@', 2)
          where not exists (select from portal_user u
            where u.email = l.address and u.id not in (select id from portal))
        union select email from lab union select personal_email from lab) a) as addresses,
      array(select name from name where char_length(name) > 1) as names,
      (select coalesce(jsonb_agg(lms_user), '[]') from lms_user) as "lmsIdentities",
      array(select id from directory) as "scimUsers"`.execute(db)
  return rows[0]!
}

/**
 * Throws if the person's data cannot be erased yet: because the person is the last admin, or has machines, lab users
 * or payments that have not ended.
 * @param organisation organisation whose rows are erased; null: all organisations, and lab users
 * @throws Problem conflict
 */
export async function requireErasable(
  tx: Tx,
  { users, addresses }: Person,
  organisation: OrganisationId | null,
): Promise<void> {
  for (const id of users) {
    const user = await tx
      .selectFrom('portal_user')
      .select(['id', 'role', 'organisation_id'])
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    if (user.role === 'superadmin') await requireAnotherSuperadmin(tx, (each) => each.id === id)
    await requireAnotherAdmin(tx, user, 'leaves')
  }
  const inScope = sql`(${organisation}::uuid is null or organisation_id = ${organisation}::uuid)`
  const { rows } = await sql<{ machines: number; labs: number; payments: number }>`
    select
      (select count(*) from machine where email = any(${addresses}::text[]) and terminated_at is null
          and ${inScope}) as machines,
      (select count(*) from (select personal_email, account_id, ended_at from azure_user
          union all select personal_email, account_id, ended_at from aws_user) as lab
        where ${organisation}::uuid is null and ended_at is null
          and (personal_email = any(${addresses}::text[]) or account_id = any(${users}::uuid[]))) as labs,
      (select count(*) from payment where asked_by = any(${addresses}::text[]) and paid_at is null
          and reconcile_at is not null and ${inScope})
        + (select count(*) from refund where asked_by = any(${addresses}::text[])
          and state not in ('processed', 'failed') and ${inScope}) as payments`.execute(tx)
  const { machines, labs, payments } = rows[0]!
  const open = [
    ...(machines > 0 ? [`delete or hand over ${machines === 1 ? '1 machine' : `${machines} machines`}`] : []),
    ...(labs > 0 ? [`end ${labs === 1 ? '1 lab user' : `${labs} lab users`}`] : []),
    ...(payments > 0 ? [`wait for ${payments === 1 ? '1 open payment' : `${payments} open payments`}`] : []),
  ]
  if (open.length > 0) throw conflict(`The data cannot be erased yet. First ${open.join(', and ')}.`)
}

import { sql } from 'kysely'
import type { OrganisationId, UserId, ScimUserId } from '@trainyard/contract/words/ids.ts'
import type { Tx, Db } from '../../db/schema.ts'

export interface Column {
  readonly name: string
  readonly type: string
  readonly isNullable: boolean
}

/**
 * Returns an SQL condition. It is true for rows of the organisation and for rows without an organisation, such as rows
 * of a user.
 * @param organisation null: every row
 */
export const inOrganisation = (alias: string, organisation: OrganisationId | null) =>
  sql`(${organisation}::uuid is null or ${sql.ref(`${alias}.organisation_id`)} is null
    or ${sql.ref(`${alias}.organisation_id`)} = ${organisation}::uuid)`

/** Maximum number of rows of one kind, and of actions, in one export. */
export const ROWS_MAX = 10_000

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

export const selectColumns = (tx: Tx) =>
  sql<Column & { table: string }>`
    select table_name as "table", column_name as name, udt_name as type, is_nullable = 'YES' as "isNullable"
    from information_schema.columns where table_schema = 'public'`.execute(tx)

export const selectTablesWithOrganisation = (db: Db) =>
  sql<{ table: string }>`
    select table_name as "table" from information_schema.columns
    where table_schema = 'public' and column_name = 'organisation_id'`.execute(db)

export const selectActions = (db: Db, users: readonly string[], organisation: OrganisationId | null) =>
  sql<{ at: Date; call: string; address: string | null; refused: string | null }>`
    select at, call, address, refused from audit where actor_id = any(${users}::uuid[])
      and ${inOrganisation('audit', organisation)} order by at desc limit ${ROWS_MAX}`.execute(db)

export const selectUserOfDirectory = (db: Db, id: UserId, email: string) =>
  sql`
    select from scim_user s where s.user_id = ${id} and not exists (select from organisation_domain d
      where d.organisation_id = s.organisation_id and d.verified_at is not null
        and d.domain = split_part(${email}, '@', 2))`.execute(db)

export const selectPerson = (db: Db, email: string, organisation: OrganisationId | null) =>
  sql<Person>`
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

export const countObstacles = (
  tx: Tx,
  addresses: readonly string[],
  organisation: OrganisationId | null,
  users: readonly UserId[],
) => {
  const inScope = sql`(${organisation}::uuid is null or organisation_id = ${organisation}::uuid)`
  return sql<{ machines: number; labs: number; payments: number }>`
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
}

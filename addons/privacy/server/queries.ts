import { sql } from 'kysely'
import type { OrganisationId, UserId } from '@trainyard/platform/contract/words/ids.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { knownAs } from '@trainyard/users/server/address.ts'

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

/** Identifiers of a person in the portal's tables. */
export interface Person {
  readonly users: readonly UserId[]
  /**
   * Addresses in lower case, of the user and of lab users.
   */
  readonly addresses: readonly string[]
  readonly names: readonly string[]
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

export const selectPerson = (db: Db, email: string, organisation: OrganisationId | null) =>
  sql<Person>`
    with portal as (select id, name from portal_user
        where email = ${email} and (${organisation}::uuid is null or organisation_id = ${organisation}::uuid)),
      known as (${sqlOf(knownAs, { email, organisation, users: sql`(select id from portal)` })}),
      lab as (
        select email, personal_email from (select email, personal_email, account_id from azure_user
          union select email, personal_email, account_id from aws_user) as users
        where ${organisation}::uuid is null
          and (personal_email = ${email} or email = ${email} or account_id in (select id from portal))),
      name as (select name from portal union select name from known)
    select array(select id from portal) as users,
      array(select distinct lower(address) from (
        select ${email}::text as address
        union select address from known
        union select email from lab union select personal_email from lab) a
        where address is not null) as addresses,
      array(select name from name where char_length(name) > 1) as names`.execute(db)

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

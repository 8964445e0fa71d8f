import { type RawBuilder, sql } from 'kysely'
import type {
  ScimGroupId,
  OrganisationId,
  MachineId,
  ScimUserId,
  UserId,
} from '@trainyard/platform/contract/words/ids.ts'
import type { ScimGroupRole } from '../contract/scim-words.ts'
import type { Tx, Db } from '@trainyard/platform/server/db/schema.ts'
import { sqlOf } from '@trainyard/platform/server/core/events.ts'
import { ownedDomains, signsInBy } from '@trainyard/users/server/sign-in-ways.ts'
import type { Resource } from './normalise.ts'
import { DISPLAY_MAX } from './schemas.ts'
import { isTokenExpired } from './token.ts'

export interface GroupRow {
  readonly id: ScimGroupId
  readonly display_name: string
  readonly external_id: string | null
  readonly role: 'user' | 'admin' | null
  readonly version: number
  readonly created_at: Date
  readonly changed_at: Date
  /** `created_at` with microseconds, which a Date does not have. */
  readonly created_text: string
}

export const GROUP_COLUMNS = sql`u.id, u.display_name, u.external_id, u.role, u.version, u.created_at, u.changed_at,
  u.created_at::text as created_text`

export interface Member {
  readonly value: string
  readonly display: string | null
  readonly known: boolean
}

/**
 * SQL: ID of the user of a member `m`; null if the value is not a UUID. Casting `scim_user.id` instead would prevent
 * the use of its index.
 */
const MEMBER_ID = sql`case when m.value ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then m.value::uuid end`

export interface GivenMember {
  readonly value: string
  readonly display: string | null
}

export interface UserRow {
  readonly id: ScimUserId
  readonly user_id: string | null
  readonly user_name: string
  readonly active: boolean
  readonly data: Resource
  readonly version: number
  readonly created_at: Date
  readonly changed_at: Date
  /** `created_at` with microseconds, which a Date does not have. */
  readonly created_text: string
}

export const USER_COLUMNS = sql`u.id, u.user_id, u.user_name, u.active, u.data, u.version, u.created_at, u.changed_at,
  u.created_at::text as created_text`

export interface Membership {
  readonly value: string
  readonly display: string
}

export const insertGroup = (tx: Tx, organisation: OrganisationId, displayName: unknown, externalId: unknown) =>
  sql<GroupRow>`
    insert into scim_group as u (organisation_id, display_name, external_id)
    values (${organisation}, ${displayName}, ${externalId})
    on conflict do nothing returning ${GROUP_COLUMNS}`.execute(tx)

export const updateGroup = (tx: Tx, displayName: unknown, externalId: unknown, group: ScimGroupId) =>
  sql<GroupRow>`
    update scim_group u set display_name = ${displayName}, external_id = ${externalId},
      version = version + 1, changed_at = portal_now()
    where id = ${group} returning ${GROUP_COLUMNS}`.execute(tx)

export const selectMembersOfGroups = (
  db: Db,
  organisation: OrganisationId,
  groups: readonly ScimGroupId[],
  values: readonly string[] | null,
) => {
  const chosen = values === null ? sql`` : sql`and m.value = any(${[...values]}::text[])`
  return sql<Member & { group: string }>`
    select m.group_id::text as "group", m.value, left(coalesce(m.display, s.data->>'displayName'), ${DISPLAY_MAX}) as display,
      s.id is not null as known
    from scim_group_member m
    left join scim_user s on s.id = ${MEMBER_ID} and s.organisation_id = m.organisation_id
    where m.organisation_id = ${organisation} and m.group_id = any(${groups}::uuid[]) ${chosen}
    order by m.value`.execute(db)
}

export const upsertGroupMembers = (
  tx: Tx,
  group: ScimGroupId,
  organisation: OrganisationId,
  written: readonly GivenMember[],
) =>
  sql`
    insert into scim_group_member (group_id, organisation_id, value, display)
    select ${group}, ${organisation}, given.value, given.display
    from unnest(${written.map(({ value }) => value)}::text[], ${written.map(({ display }) => display)}::text[])
      as given (value, display)
    on conflict (group_id, value) do update set display = excluded.display`.execute(tx)

export const deleteGroupMembers = (tx: Tx, group: ScimGroupId, removed: readonly string[]) =>
  sql`
    delete from scim_group_member where group_id = ${group} and value = any(${removed}::text[])`.execute(tx)

export const selectGroupsInUse = (db: Db, id: OrganisationId) =>
  sql<{
    id: ScimGroupId
    name: string
    members: number
    role: ScimGroupRole | null
    trainings: string[]
  }>`
    select g.id, g.display_name as name, g.role,
      (select count(*)::int from scim_group_member m where m.group_id = g.id) as members,
      array(select t.name from roster r join training t on t.id = r.training_id
        where r.organisation_id = g.organisation_id and r.kind = 'scim_group' and r.external_key = g.id::text
        order by t.name) as trainings
    from scim_group g where g.organisation_id = ${id} order by lower(g.display_name) limit 1000`.execute(db)

export const countScimUsers = (db: Db, id: OrganisationId) =>
  sql<{ active: number; inactive: number }>`
    select count(*) filter (where active)::int as active, count(*) filter (where not active)::int as inactive
    from scim_user where organisation_id = ${id}`.execute(db)

export const deleteExpiredTokens = (tx: Tx, organisation: OrganisationId, name: string) =>
  sql`
    delete from scim_token where organisation_id = ${organisation} and ${isTokenExpired}
      and comparison_key(name) = comparison_key(${name})`.execute(tx)

export const expireToken = (tx: Tx, token: string, organisation: OrganisationId) =>
  sql<{ id: string; name: string }>`
    update scim_token set expires_at = least(expires_at, greatest(portal_now(), created_at + interval '1 microsecond'))
    where id = ${token} and organisation_id = ${organisation} returning id, name`.execute(tx)

export const selectRunningMachines = (tx: Tx, organisation: OrganisationId, email: string) =>
  sql<{ id: MachineId }>`
    select id from machine where organisation_id = ${organisation} and email = ${email} and terminated_at is null
      and desired = 'running' order by id`.execute(tx)

export const selectVerifiedDomain = (tx: Tx, organisation: OrganisationId, email: string) =>
  sql`
    select from (${sqlOf(ownedDomains, null)}) d where organisation_id = ${organisation}
      and domain = split_part(${email}, '@', 2)`.execute(tx)

export const selectUserAtAddress = (tx: Tx, email: string, user: ScimUserId) =>
  sql`
    select from scim_user s join portal_user u on u.id = s.user_id
    where u.email = ${email} and s.id <> ${user}`.execute(tx)

export const selectIsUsed = (tx: Tx, id: UserId) =>
  sql<{ used: boolean }>`
    select s.adopted or u.password_hash is not null or ${sqlOf(signsInBy, { user: 'u', way: 'credential' })} as used
    from portal_user u join scim_user s on s.user_id = u.id where u.id = ${id}`.execute(tx)

export const selectGroupsAsLists = (db: Db, organisation: OrganisationId) =>
  sql<{ key: string; name: string; members: number }>`
    select g.id::text as key, g.display_name as name, (select count(*)::int from scim_group_member m
      where m.group_id = g.id) as members
    from scim_group g where g.organisation_id = ${organisation} order by lower(g.display_name) limit 1000`.execute(db)

export const selectGroupName = (db: Db, key: string, organisation: OrganisationId) =>
  sql<{ name: string }>`
    select display_name as name from scim_group where id = ${key} and organisation_id = ${organisation}`.execute(db)

export const selectMembersOfList = (db: Db, key: string, organisation: OrganisationId) =>
  sql<{ id: string; email: string; name: string | null; active: boolean }>`
    select u.id::text, a.email, a.name, u.active
    from scim_group_member m join scim_user u on u.id = ${MEMBER_ID} and u.organisation_id = m.organisation_id
    join portal_user a on a.id = u.user_id and a.organisation_id = u.organisation_id
    where m.group_id = ${key} and m.organisation_id = ${organisation}`.execute(db)

export const insertScimUser = (
  tx: Tx,
  input: {
    readonly organisation: OrganisationId
    readonly userName: unknown
    readonly externalId: unknown
    readonly active: unknown
    readonly emails: readonly string[]
    readonly data: string
  },
) =>
  sql<UserRow>`
    insert into scim_user as u (organisation_id, user_name, external_id, active, emails, data)
    values (${input.organisation}, ${input.userName}, ${input.externalId}, ${input.active},
      ${input.emails}::text[], ${input.data})
    on conflict do nothing returning ${USER_COLUMNS}`.execute(tx)

export const updateScimUser = (
  tx: Tx,
  input: {
    readonly userName: unknown
    readonly externalId: unknown
    readonly active: unknown
    readonly emails: readonly string[]
    readonly data: string
    readonly row: ScimUserId
  },
) =>
  sql<UserRow>`
    update scim_user u set user_name = ${input.userName}, external_id = ${input.externalId},
      active = ${input.active}, emails = ${input.emails}::text[], data = ${input.data},
      version = version + 1, changed_at = portal_now()
    where id = ${input.row} returning ${USER_COLUMNS}`.execute(tx)

export const selectGroupsOfUsers = (
  db: Db,
  organisation: OrganisationId,
  users: readonly string[],
  values: readonly string[] | null,
) => {
  const chosen = values === null ? sql`` : sql`and g.id::text = any(${[...values]}::text[])`
  return sql<{ user: string } & Membership>`
    select m.value as "user", g.id::text as value, left(g.display_name, ${DISPLAY_MAX}) as display
    from scim_group_member m join scim_group g on g.id = m.group_id
    where m.organisation_id = ${organisation} and m.value = any(${users}::text[]) ${chosen}
    order by g.display_name`.execute(db)
}

export const applyGroupLevels = (tx: Tx, organisation: OrganisationId, users: readonly string[]) =>
  sql<{
    scim: ScimUserId
    id: UserId
    email: string
    role: 'user' | 'admin'
  }>`
    with level as (
      select u.id, u.user_id, u.role_given, coalesce(bool_or(g.role = 'admin'), false) as admin
      from scim_user u
      left join scim_group_member m on m.organisation_id = u.organisation_id and m.value = u.id::text
      left join scim_group g on g.id = m.group_id
      where u.organisation_id = ${organisation} and u.id = any(${users}::uuid[])
      group by u.id)
    select level.id as scim, a.id, a.email, case when level.admin then 'admin' else 'user' end as role
    from level join portal_user a on a.id = level.user_id and a.organisation_id = ${organisation}
    where (a.role = 'user' and level.admin)
      or (a.role = 'admin' and not level.admin and level.role_given)
    order by a.id`.execute(tx)

/**
 * The account of a user of a directory whose organisation has not verified the domain of the address. A directory can
 * choose any free address without access to the mailbox, also that of a former user of another organisation.
 */
export const selectUnprovenAddress = (db: Db, id: UserId, email: string) =>
  sql`
    select from scim_user s where s.user_id = ${id} and not exists (select from (${sqlOf(ownedDomains, null)}) d
      where d.organisation_id = s.organisation_id and d.domain = split_part(${email}, '@', 2))`.execute(db)

/**
 * SQL: names and addresses of a person in a directory, which can contain any text. Its addresses count only in a domain
 * that the organisation has verified, and only if they belong to no other user.
 * @param users query of the IDs of the person's users
 */
export const namesInDirectory = (users: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select n.name, null::text as address from scim_user s
    cross join unnest(array[s.data ->> 'displayName', s.data -> 'name' ->> 'formatted']) as n (name)
    where s.user_id in ${users}
  union all select null, l.address from scim_user s
    cross join lateral (select lower(unnest(s.user_name || s.emails)) as address) l
    join (${sqlOf(ownedDomains, null)}) d on d.organisation_id = s.organisation_id
      and l.address ~ '^[^@[:space:]]+@[^@[:space:]]+$' and d.domain = split_part(l.address, '@', 2)
    where s.user_id in ${users} and not exists (select from portal_user u
      where u.email = l.address and u.id not in ${users})`

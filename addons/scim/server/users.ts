import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '@trainyard/platform/server/db/schema.ts'
import { applyToPortalUser, deletePortalUser } from './portal-user.ts'
import { isUuid, type ScimContext } from './context.ts'
import type { Json } from './filter.ts'
import { applyRostersOf, groupsOfUser, lockRostersOf } from './group-rosters.ts'
import { type ListRequest, needs, type Projection } from './list.ts'
import { isObject, normaliseResource, type Resource } from './normalise.ts'
import { listPage } from './page.ts'
import { applyPatch } from './patch.ts'
import { applyGroupRoles } from './group-levels.ts'
import {
  insertScimUser,
  updateScimUser,
  selectGroupsOfUsers,
  type UserRow,
  USER_COLUMNS,
  type Membership,
} from './queries.ts'
import { badRequest, noResource, notUnique, ScimError } from './scim-error.ts'
import { ENTERPRISE_SCHEMA, USER_SCHEMA, USERS } from './schemas.ts'
import { requireVersion, versionOf } from './version.ts'

const USERS_MAX = 100_000
/** Maximum size of a user in bytes, in a request and as stored. Several PATCH requests could otherwise exceed it. */
export const USER_BYTES = 128 * 1024

/** Creates a user of the directory and the portal user. @throws ScimError */
export async function createUser(tx: Tx, context: ScimContext, body: unknown): Promise<Json> {
  const data = withDefaults(normaliseResource(USERS, body))
  const { organisation } = context
  const { count } = await tx
    .selectFrom('scim_user')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('organisation_id', '=', organisation.id)
    .executeTakeFirstOrThrow()
  if (count >= USERS_MAX) throw new ScimError(403, null, `An organisation has at most ${USERS_MAX} users.`)
  const { rows } = await insertScimUser(tx, {
    organisation: organisation.id,
    userName: data['userName'],
    externalId: data['externalId'] ?? null,
    active: data['active'],
    emails: emailsOf(data),
    data: JSON.stringify(data),
  })
  const row = rows[0]
  if (row === undefined) throw takenName(data)
  await applyToPortalUser(tx, context, { ...row, user_id: null, data })
  return userResource(context, row, [])
}

export async function readUser(db: Db, context: ScimContext, id: string, projection: Projection): Promise<Json> {
  const row = await findUser(db, context, id)
  const groups = needs(projection, 'groups') ? await groupsOf(db, context, [id.toLowerCase()]) : new Map()
  return userResource(context, row, groups.get(row.id) ?? [])
}

/** Replaces a user. @returns the resource before and after the change; the same object if nothing changed */
export async function replaceUser(
  tx: Tx,
  context: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<{ readonly before: Json; readonly after: Json }> {
  const replaced = withDefaults(normaliseResource(USERS, body))
  return changeUser(tx, context, id, ifMatch, () => replaced)
}

/** Applies a PATCH request to a user. @returns as `replaceUser` */
export function patchUser(
  tx: Tx,
  context: ScimContext,
  id: string,
  body: unknown,
  ifMatch: string | undefined,
): Promise<{ readonly before: Json; readonly after: Json }> {
  return changeUser(tx, context, id, ifMatch, (data) => withDefaults(applyPatch(USERS, data, body)))
}

async function changeUser(
  tx: Tx,
  context: ScimContext,
  id: string,
  ifMatch: string | undefined,
  change: (data: Resource) => Resource,
): Promise<{ readonly before: Json; readonly after: Json }> {
  const { organisation } = context
  const groups = isUuid(id) ? await groupsOfUser(tx, context, id.toLowerCase()) : []
  await lockRostersOf(tx, context, groups)
  const row = await findUser(tx, context, id, sql`for update`)
  requireVersion(ifMatch, row.version)
  const memberships = (await groupsOf(tx, context, [row.id])).get(row.id) ?? []
  const before = userResource(context, row, memberships)
  const data = change(row.data)
  if (sizeOf(data) > Math.max(USER_BYTES, sizeOf(row.data)))
    throw badRequest('invalidValue', `A user has at most ${USER_BYTES / 1024} kB of data.`)
  const isSame = JSON.stringify(sorted(data)) === JSON.stringify(sorted(row.data))
  // A portal user that was deleted by an admin is created again by the next change.
  if (isSame && row.user_id !== null) return { before, after: before }
  const changed = await updateScimUser(tx, {
    userName: data['userName'],
    externalId: data['externalId'] ?? null,
    active: data['active'],
    emails: emailsOf(data),
    data: JSON.stringify(data),
    row: row.id,
  }).catch((error: { code?: string }) => {
    if (error.code === '23505') throw takenName(data)
    throw error
  })
  const after = changed.rows[0]!
  await applyToPortalUser(tx, context, { ...after, user_id: row.user_id as never, data })
  if (after.active) await applyGroupRoles(tx, context, [row.id])
  await applyRostersOf(tx, { organisation, jobs: context.jobs }, groups)
  return { before, after: userResource(context, after, memberships) }
}

/** Deletes a user, their portal user and their memberships. @throws ScimError */
export async function deleteUser(
  tx: Tx,
  context: ScimContext,
  id: string,
  ifMatch: string | undefined,
): Promise<{ readonly before: Json }> {
  const groups = isUuid(id) ? await groupsOfUser(tx, context, id.toLowerCase()) : []
  await lockRostersOf(tx, context, groups)
  const row = await findUser(tx, context, id, sql`for update`)
  requireVersion(ifMatch, row.version)
  await tx
    .deleteFrom('scim_group_member')
    .where('organisation_id', '=', context.organisation.id)
    .where('value', '=', row.id)
    .execute()
  if (row.user_id !== null) await deletePortalUser(tx, context, row.user_id as never)
  await tx.deleteFrom('scim_user').where('id', '=', row.id).execute()
  await applyRostersOf(tx, context, groups)
  return { before: userResource(context, row, []) }
}

/** Returns a page of the organisation's users as a ListResponse. */
export const listUsers = (db: Db, context: ScimContext, request: ListRequest): Promise<Json> =>
  listPage<UserRow, Membership>(db, context, request, {
    table: sql`scim_user u`,
    columns: USER_COLUMNS,
    conditionOf: userCondition,
    related: 'groups',
    relationOf: (id) => sql`m.organisation_id = ${context.organisation.id} and m.value = ${id}::text`,
    relatedOf: (rows, values) =>
      groupsOf(
        db,
        context,
        rows.map(({ id }) => id),
        values,
      ),
    resource: (row, groups) => userResource(context, row, groups),
  })

/** Returns an indexed SQL condition for an attribute that equals a value; null if there is none. */
function userCondition(path: string, value: string): RawBuilder<unknown> | null {
  if (path === 'userName') return sql`lower(u.user_name) = lower(${value})`
  if (path === 'externalId') return sql`u.external_id = ${value}`
  if (path === 'id') return isUuid(value) ? sql`u.id = ${value}` : sql`false`
  if (path === 'emails.value') return sql`u.emails @> array[lower(${value})]`
  return null
}

async function findUser(
  db: Db,
  { organisation }: ScimContext,
  id: string,
  lock: RawBuilder<unknown> = sql``,
): Promise<UserRow> {
  if (!isUuid(id)) throw noResource(id.slice(0, 100))
  const { rows } = await sql<UserRow>`
    select ${USER_COLUMNS} from scim_user u where u.id = ${id} and u.organisation_id = ${organisation.id} ${lock}`.execute(
    db,
  )
  if (rows[0] === undefined) throw noResource(id)
  return rows[0]
}

async function groupsOf(
  db: Db,
  { organisation }: ScimContext,
  users: readonly string[],
  values: readonly string[] | null = null,
): Promise<Map<string, Membership[]>> {
  if (users.length === 0) return new Map()

  const { rows } = await selectGroupsOfUsers(db, organisation.id, [...users], values)
  return Map.groupBy(rows, ({ user }) => user)
}

/** Sets the default of `active`. @throws ScimError invalidValue without a user name */
function withDefaults(data: Resource): Resource {
  const name = data['userName']
  if (typeof name !== 'string' || name.trim() === '') throw badRequest('invalidValue', 'userName is required.')
  return { ...data, active: data['active'] ?? true }
}

/** Returns the size of a user without the activity, so that a user of any size can be deactivated. */
const sizeOf = (data: Resource): number => Buffer.byteLength(JSON.stringify({ ...data, active: true }))

const takenName = (data: Resource) =>
  notUnique(`There is already a user with the userName ${String(data['userName'])}.`)

function emailsOf(data: Resource): string[] {
  const emails = Array.isArray(data['emails']) ? (data['emails'] as unknown[]) : []
  return emails.flatMap((email) =>
    isObject(email) && typeof email['value'] === 'string' ? [email['value'].toLowerCase()] : [],
  )
}

/** Sorts the keys of objects, so that their order does not count as a change. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  )
}

function userResource({ base }: ScimContext, row: UserRow, groups: readonly Membership[]): Json {
  const { id, data, active, version, created_at, changed_at } = row
  return {
    schemas: [USER_SCHEMA, ...(data[ENTERPRISE_SCHEMA] === undefined ? [] : [ENTERPRISE_SCHEMA])],
    id,
    ...data,
    active,
    ...(groups.length > 0 && {
      groups: groups.map(({ value, display }) => ({
        value,
        $ref: `${base}/Groups/${value}`,
        display,
        type: 'direct',
      })),
    }),
    meta: {
      resourceType: 'User',
      created: created_at.toISOString(),
      lastModified: changed_at.toISOString(),
      location: `${base}/Users/${id}`,
      version: versionOf(version),
    },
  }
}

import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { durationOf } from '../durations.ts'
import { iso, wholeSecond } from '@trainyard/platform/emulator/clock/clock.ts'
import type { AzureCloud } from '../cloud.ts'
import { groupId, keyOf, subscriptionId } from '../arm/ids.ts'
import { paths, param, versions, type Answer, type Call, type Operation } from '../arm/operation.ts'
import { readBody } from '../arm/read-body.ts'
import { Refusal } from '../arm/refusal.ts'
import { requireGroup } from '../groups/existing-group.ts'
import { roleNamed, roleOf } from './roles.ts'

export const assignmentTable = `
CREATE TABLE IF NOT EXISTS role_assignment (
  key TEXT PRIMARY KEY,
  name TEXT NOT NULL,
  scope TEXT NOT NULL,
  scope_key TEXT NOT NULL,
  role TEXT NOT NULL,
  principal TEXT NOT NULL,
  principal_type TEXT NOT NULL,
  created_at INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS role_assignment_principal ON role_assignment (principal);
CREATE INDEX IF NOT EXISTS role_assignment_scope ON role_assignment (scope_key);
`

export interface RoleAssignment {
  readonly key: string
  readonly name: string
  readonly scope: string
  readonly scope_key: string
  readonly role: string
  readonly principal: string
  readonly principal_type: string
  readonly created_at: number
}

const body = z.looseObject({
  properties: z.looseObject({
    roleDefinitionId: z.string(),
    principalId: z.string(),
    principalType: z.enum(['User', 'Group', 'ServicePrincipal', 'ForeignGroup', 'Device']).optional(),
  }),
})

const type = 'Microsoft.Authorization/roleAssignments'
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export function roleAssignmentOperations(cloud: AzureCloud): Operation[] {
  return [
    ...atScope(cloud, paths.group, (call) => requireGroup(cloud, call).id),
    ...atScope(cloud, paths.subscription, (call) => subscriptionId(param(call, 'subscription'))),
  ]
}

/** @param scopeOf returns the ID of the resource of a call */
export const assignmentsOfResource = (
  cloud: AzureCloud,
  resourceType: string,
  scopeOf: (call: Call) => string,
): Operation => ({
  name: 'RoleAssignments_ListForResource',
  method: 'GET',
  path: `${paths.item(resourceType)}/providers/${type}`,
  versions: versions.authorization,
  handle: (call) => list(cloud, call, scopeOf(call)),
})

/** Stores a role of a user at a lab, as the pages of Lab Services do when they add an owner or an assistant. */
export function assignLabRole(
  cloud: AzureCloud,
  { lab, role, principal }: { readonly lab: string; readonly role: string; readonly principal: string },
  now: number,
): void {
  const definition = roleNamed(role)
  const subscription = lab.split('/').slice(0, 3).join('/')
  const name = randomUUID()
  cloud.database.run(
    'DELETE FROM role_assignment WHERE scope_key = ? AND principal = ? AND lower(role) LIKE ?',
    keyOf(lab),
    principal,
    `%${definition}`,
  )
  cloud.database.run(
    `INSERT INTO role_assignment (key, name, scope, scope_key, role, principal, principal_type, created_at)
     VALUES (?, ?, ?, ?, ?, ?, 'User', ?)`,
    keyAt(lab, name),
    name,
    lab,
    keyOf(lab),
    `${subscription}/providers/Microsoft.Authorization/roleDefinitions/${definition}`,
    principal,
    wholeSecond(now),
  )
}

function atScope(cloud: AzureCloud, path: string, scopeOf: (call: Call) => string): Operation[] {
  const item = { path: `${path}/providers/${type}/:name`, versions: versions.authorization }
  const find = (call: Call, scope: string) => assignmentNamed(cloud, scope, param(call, 'name'))
  return [
    {
      ...item,
      name: 'RoleAssignments_Create',
      method: 'PUT',
      handle: (call) => create(cloud, call, scopeOf(call)),
    },
    {
      ...item,
      name: 'RoleAssignments_Get',
      method: 'GET',
      handle: (call) => {
        const found = find(call, scopeOf(call))
        if (found !== undefined) return { status: 200, body: view(found) }
        throw new Refusal(404, 'RoleAssignmentNotFound', `The role assignment '${param(call, 'name')}' is not found.`)
      },
    },
    {
      ...item,
      name: 'RoleAssignments_Delete',
      method: 'DELETE',
      handle: (call) => {
        const found = find(call, scopeOf(call))
        if (found === undefined) return { status: 204 }
        cloud.database.run('DELETE FROM role_assignment WHERE key = ?', found.key)
        return { status: 200, body: view(found) }
      },
    },
    {
      name: path === paths.group ? 'RoleAssignments_ListForResourceGroup' : 'RoleAssignments_ListForSubscription',
      method: 'GET',
      path: `${path}/providers/${type}`,
      versions: versions.authorization,
      handle: (call) => list(cloud, call, scopeOf(call)),
    },
  ]
}

function assignmentNamed(cloud: AzureCloud, scope: string, name: string): RoleAssignment | undefined {
  return cloud.database.one<RoleAssignment>('SELECT * FROM role_assignment WHERE key = ?', keyAt(scope, name))
}

const keyAt = (scope: string, name: string) => keyOf(`${scope}/providers/${type}/${name}`)

function create(cloud: AzureCloud, call: Call, scope: string): Answer {
  const { properties } = readBody(call, body)
  const name = param(call, 'name')
  if (!guid.test(name)) {
    throw new Refusal(
      400,
      'InvalidRoleAssignmentId',
      `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`,
    )
  }
  const role = properties.roleDefinitionId
  if (roleOf(role) === undefined) {
    throw new Refusal(
      404,
      'RoleDefinitionDoesNotExist',
      `The specified role definition with ID '${role}' does not exist.`,
    )
  }
  const principal = properties.principalId.toLowerCase()
  if (!guid.test(principal)) {
    throw new Refusal(
      400,
      'InvalidPrincipalId',
      `The Principal ID '${properties.principalId}' is not valid. Principal ID must be a GUID.`,
    )
  }
  const existing = assignmentNamed(cloud, scope, name)
  if (existing !== undefined) {
    if (existing.principal === principal && keyOf(existing.role) === keyOf(role)) {
      return { status: 200, body: view(existing) }
    }
    throw new Refusal(
      409,
      'RoleAssignmentUpdateNotPermitted',
      'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
    )
  }
  const same = assignmentsAt(cloud, scope).find(
    (each) => each.principal === principal && keyOf(each.role) === keyOf(role),
  )
  if (same !== undefined) {
    throw new Refusal(
      409,
      'RoleAssignmentExists',
      `The role assignment already exists. The ID of the existing role assignment is ${same.name.replaceAll('-', '')}.`,
    )
  }
  refuseUnknownPrincipal(cloud, principal, call.now)
  const created: RoleAssignment = {
    key: keyAt(scope, name),
    name,
    scope,
    scope_key: keyOf(scope),
    role,
    principal,
    principal_type: properties.principalType ?? 'User',
    created_at: wholeSecond(call.now),
  }
  cloud.database.run(
    `INSERT INTO role_assignment (key, name, scope, scope_key, role, principal, principal_type, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    ...Object.values(created),
  )
  return { status: 201, body: view(created) }
}

/** Azure learns of a new user some time after its creation. */
function refuseUnknownPrincipal(cloud: AzureCloud, principal: string, now: number): void {
  const user = cloud.directory.visible(principal, now)
  // A configured lag replaces Azure's own delay.
  const hasDefaultLag = cloud.settings.read('directory.lag') === undefined
  const lag =
    user === undefined || !hasDefaultLag ? 0 : durationOf('principal', user.upn) * cloud.operations.latency * 1000
  if (user !== undefined && user.created_at + lag <= now) return
  throw new Refusal(
    400,
    'PrincipalNotFound',
    `Principal ${principal.replaceAll('-', '')} does not exist in the directory. Check that you have the correct principal ID. If you are creating this principal and then immediately assigning a role, this error might be related to a replication delay. In this case, set the role assignment principalType property to a value, such as ServicePrincipal, User, or Group.`,
  )
}

function assignmentsAt(cloud: AzureCloud, scope: string): RoleAssignment[] {
  return cloud.database.all<RoleAssignment>(
    'SELECT * FROM role_assignment WHERE scope_key = ? ORDER BY key',
    keyOf(scope),
  )
}

export function assignmentsFor(cloud: AzureCloud, principal: string, subscription: string, group?: string) {
  const scopes = [subscriptionId(subscription), ...(group === undefined ? [] : [groupId(subscription, group)])]
  return scopes.flatMap((scope) => assignmentsAt(cloud, scope)).filter((each) => each.principal === principal)
}

function list(cloud: AzureCloud, call: Call, scope: string): Answer {
  const filter = call.query.$filter?.trim() ?? ''
  const principal = /^(?:principalId\s+eq|assignedTo\()\s*'([^']*)'\)?$/i.exec(filter)?.[1]?.toLowerCase()
  if (filter !== '' && !/^atScope\(\)$/i.test(filter) && principal === undefined) {
    throw new Refusal(
      400,
      'UnsupportedQuery',
      `The filter '${filter}' is not supported. Supported filters are 'atScope()' and 'principalId eq '{value}''.`,
    )
  }
  const subscription = param(call, 'subscription')
  const above = [
    subscriptionId(subscription),
    ...(call.params['group'] === undefined ? [] : [groupId(subscription, call.params['group'])]),
  ]
  const scopes = [...above.filter((each) => keyOf(each) !== keyOf(scope)), scope]
  const found = scopes.flatMap((each) => assignmentsAt(cloud, each))
  return {
    status: 200,
    body: { value: found.filter((each) => principal === undefined || each.principal === principal).map(view) },
  }
}

function view(assignment: RoleAssignment): unknown {
  const { scope, name, role, principal, principal_type: principalType, created_at: createdAt } = assignment
  return {
    id: `${scope}/providers/${type}/${name}`,
    type,
    name,
    properties: {
      roleDefinitionId: role,
      principalId: principal,
      principalType,
      scope,
      createdOn: iso(createdAt),
      updatedOn: iso(createdAt),
      createdBy: '00000000-0000-4000-8000-000000000003',
      updatedBy: '00000000-0000-4000-8000-000000000003',
    },
  }
}

export function removeAssignmentsAt(cloud: AzureCloud, scope: string): void {
  cloud.database.run('DELETE FROM role_assignment WHERE scope_key = ?', keyOf(scope))
}

export function allAssignments(cloud: AzureCloud): RoleAssignment[] {
  return cloud.database.all<RoleAssignment>('SELECT * FROM role_assignment ORDER BY created_at, key')
}

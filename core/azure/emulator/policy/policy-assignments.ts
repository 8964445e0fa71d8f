import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { paths, param, versions, type Operation } from '../arm/operation.ts'
import { readBody } from '../arm/read-body.ts'
import { Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { requireGroupNotDeleting, requireGroup } from '../groups/existing-group.ts'

export const policyTable = `
CREATE TABLE IF NOT EXISTS policy_assignment (
  key TEXT PRIMARY KEY,
  scope_key TEXT NOT NULL,
  scope TEXT NOT NULL,
  name TEXT NOT NULL,
  properties TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS policy_assignment_scope ON policy_assignment (scope_key);
`

interface PolicyAssignment {
  readonly key: string
  readonly scope_key: string
  readonly scope: string
  readonly name: string
  /** JSON, including the instance ID, which is new for each assignment. */
  readonly properties: string
}

const firstWithInstances = '2025-03-01'

const type = 'Microsoft.Authorization/policyAssignments'
const portal = '00000000-0000-4000-8000-000000000003'
const allowedSizes = '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3'

const sizes = z.looseObject({ listOfAllowedSKUs: z.looseObject({ value: z.array(z.string()) }) })
const shape = z.looseObject({
  properties: z.looseObject({
    displayName: z.string().max(128).optional(),
    policyDefinitionId: z.string(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    enforcementMode: z.enum(['Default', 'DoNotEnforce']).optional(),
  }),
})

export function policyAssignmentOperations(cloud: AzureCloud): Operation[] {
  const item = { path: `${paths.group}/providers/${type}/:name`, versions: versions.policy }
  return [
    {
      ...item,
      name: 'PolicyAssignments_Create',
      method: 'PUT',
      handle: (call) => {
        const { properties } = readBody(call, shape)
        const group = requireGroupNotDeleting(cloud, call)
        const name = param(call, 'name')
        if (keyOf(properties.policyDefinitionId) !== keyOf(allowedSizes)) {
          throw new Refusal(
            404,
            'PolicyDefinitionNotFound',
            `The policy definition '${properties.policyDefinitionId}' could not be found.`,
          )
        }
        if (!sizes.safeParse(properties.parameters).success) {
          throw new Refusal(
            400,
            'MissingPolicyParameter',
            `The policy assignment '${name}' is missing the parameter(s) 'listOfAllowedSKUs' as defined in the policy definition.`,
          )
        }
        const key = keyOf(`${group.id}/providers/${type}/${name}`)
        const assignment: PolicyAssignment = {
          key,
          scope_key: group.key,
          scope: group.id,
          name,
          properties: JSON.stringify({ ...properties, ...instanceFields(cloud, group.key, key, call.now) }),
        }
        cloud.database.run(
          `INSERT INTO policy_assignment (key, scope_key, scope, name, properties) VALUES (?, ?, ?, ?, ?)
           ON CONFLICT (key) DO UPDATE SET properties = excluded.properties`,
          ...Object.values(assignment),
        )
        return { status: 201, body: view(assignment, call.version) }
      },
    },
    {
      ...item,
      name: 'PolicyAssignments_Get',
      method: 'GET',
      handle: (call) => {
        const group = requireGroup(cloud, call)
        const name = param(call, 'name')
        const found = policiesOn(cloud, group.key).find((each) => each.key.endsWith(`/${name.toLowerCase()}`))
        if (found !== undefined) return { status: 200, body: view(found, call.version) }
        throw new Refusal(404, 'PolicyAssignmentNotFound', `The policy assignment '${name}' is not found.`)
      },
    },
    {
      ...item,
      name: 'PolicyAssignments_Delete',
      method: 'DELETE',
      handle: (call) => {
        const group = requireGroup(cloud, call)
        const name = param(call, 'name').toLowerCase()
        const found = policiesOn(cloud, group.key).find((each) => each.key.endsWith(`/${name}`))
        if (found === undefined) return { status: 204 }
        cloud.database.run('DELETE FROM policy_assignment WHERE key = ?', found.key)
        return { status: 200, body: view(found, call.version) }
      },
    },
    {
      name: 'PolicyAssignments_ListForResourceGroup',
      method: 'GET',
      path: `${paths.group}/providers/${type}`,
      versions: versions.policy,
      handle: (call) => ({
        status: 200,
        body: { value: policiesOn(cloud, requireGroup(cloud, call).key).map((each) => view(each, call.version)) },
      }),
    },
  ]
}

function view({ scope, name, properties }: PolicyAssignment, version: string): unknown {
  const { instanceId, made: assignment, changed, ...stored } = JSON.parse(properties) as Record<string, unknown>
  return {
    id: `${scope}/providers/${type}/${name}`,
    type,
    name,
    properties: {
      enforcementMode: 'Default',
      ...stored,
      metadata: {
        createdBy: portal,
        createdOn: assignment,
        updatedBy: changed === null ? null : portal,
        updatedOn: changed,
      },
      scope,
      ...(version < firstWithInstances ? {} : { instanceId }),
    },
    systemData: {
      createdBy: portal,
      createdByType: 'Application',
      createdAt: assignment,
      lastModifiedBy: portal,
      lastModifiedByType: 'Application',
      lastModifiedAt: changed ?? assignment,
    },
  }
}

/** An existing assignment keeps its ID and creation time. */
function instanceFields(cloud: AzureCloud, group: string, key: string, now: number): object {
  const existing = policiesOn(cloud, group).find((each) => each.key === key)
  if (existing === undefined) return { instanceId: randomUUID(), made: iso(now), changed: null }
  const { instanceId, made: assignment } = JSON.parse(existing.properties) as { instanceId: string; made: string }
  return { instanceId, made: assignment, changed: iso(now) }
}

function policiesOn(cloud: AzureCloud, group: string): PolicyAssignment[] {
  return cloud.database.all<PolicyAssignment>('SELECT * FROM policy_assignment WHERE scope_key = ? ORDER BY key', group)
}

export function allPolicies(cloud: AzureCloud): unknown[] {
  return cloud.database
    .all<PolicyAssignment>('SELECT * FROM policy_assignment ORDER BY key')
    .map((each) => view(each, firstWithInstances))
}

export function removePoliciesOn(cloud: AzureCloud, group: string): void {
  cloud.database.run('DELETE FROM policy_assignment WHERE scope_key = ?', group)
}

export function refuseDisallowedSize(cloud: AzureCloud, group: Resource, machine: string, size: string): void {
  for (const { name, scope, properties } of policiesOn(cloud, group.key)) {
    const { parameters, enforcementMode } = JSON.parse(properties) as {
      parameters: z.infer<typeof sizes>
      enforcementMode?: string
    }
    const allowed = parameters.listOfAllowedSKUs.value.some((each) => each.toLowerCase() === size.toLowerCase())
    if (allowed || enforcementMode === 'DoNotEnforce') continue
    throw new Refusal(
      403,
      'RequestDisallowedByPolicy',
      `Resource '${machine}' was disallowed by policy. Policy identifiers: '[{"policyAssignment":{"name":"${name}","id":"${scope}/providers/${type}/${name}"},"policyDefinition":{"name":"Allowed virtual machine size SKUs","id":"${allowedSizes}"}}]'.`,
      { target: machine },
    )
  }
}

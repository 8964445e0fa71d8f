import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { groupId, keyOf } from '../arm/ids.ts'
import { parseLocation } from '../arm/locations.ts'
import { envelopeOf } from '../arm/envelope.ts'
import type { Effect } from '../arm/long-operations.ts'
import { paths, param, versions, type Operation } from '../arm/operation.ts'
import { listOf } from '../arm/paging.ts'
import { envelope, readBody, tags } from '../arm/read-body.ts'
import { Refusal } from '../arm/refusal.ts'
import { beginRemoval, findRemovalReply } from '../arm/removal.ts'
import type { Resource } from '../arm/resources.ts'
import { removeResource } from '../network/network-resource.ts'
import { requireGroupNotDeleting, requireGroup } from './existing-group.ts'
import { removeAssignmentsAt } from '../authorization/role-assignments.ts'
import { durationOf } from '../durations.ts'
import { removePoliciesOn } from '../policy/policy-assignments.ts'

export const groupType = 'Microsoft.Resources/resourceGroups'

const validName = /^[-\w._()]{1,90}$/u

function view(group: Resource): unknown {
  return {
    ...envelopeOf(group),
    properties: { provisioningState: group.state },
  }
}

export function resourceGroupOperations(cloud: AzureCloud): Operation[] {
  const common = { path: paths.group, versions: versions.resources }
  return [
    {
      ...common,
      name: 'ResourceGroups_CreateOrUpdate',
      method: 'PUT',
      handle: (call) => {
        const body = readBody(call, z.looseObject(envelope))
        const subscription = param(call, 'subscription')
        const name = param(call, 'group')
        if (!validName.test(name) || name.endsWith('.')) {
          throw new Refusal(
            400,
            'InvalidResourceGroup',
            `The provided resource group name '${name}' has these invalid characters or a length over 90. The name can only be a letter, digit, '-', '.', '(', ')' or '_' and may not end with '.'.`,
          )
        }
        const location = parseLocation(body.location, groupType)
        const id = groupId(subscription, name)
        const existing = cloud.resources.find(keyOf(id))
        if (existing === undefined) {
          const created = cloud.resources.add(
            {
              id,
              type: groupType,
              subscription,
              group: keyOf(id),
              name,
              state: 'Succeeded',
              location,
              tags: body.tags,
              doc: {},
            },
            call.now,
          )
          return { status: 201, body: view(created) }
        }
        requireGroupNotDeleting(cloud, call)
        if (existing.location !== location) {
          throw new Refusal(
            409,
            'InvalidResourceGroupLocation',
            `Invalid resource group location '${location}'. The Resource group already exists in location '${existing.location}'.`,
          )
        }
        return { status: 200, body: view(cloud.resources.change(existing.key, { tags: body.tags })) }
      },
    },
    {
      ...common,
      name: 'ResourceGroups_Update',
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, z.looseObject({ tags: tags.optional() }))
        const group = requireGroupNotDeleting(cloud, call)
        return { status: 200, body: view(cloud.resources.change(group.key, { tags: body.tags ?? group.tags })) }
      },
    },
    {
      ...common,
      name: 'ResourceGroups_Get',
      method: 'GET',
      handle: (call) => ({ status: 200, body: view(requireGroup(cloud, call)) }),
    },
    {
      ...common,
      name: 'ResourceGroups_CheckExistence',
      method: 'HEAD',
      handle: (call) => {
        const key = keyOf(groupId(param(call, 'subscription'), param(call, 'group')))
        return { status: cloud.resources.find(key) === undefined ? 404 : 204 }
      },
    },
    {
      ...common,
      name: 'ResourceGroups_List',
      path: `${paths.subscription}/resourceGroups`,
      method: 'GET',
      handle: (call) => listOf(cloud, call, groupType, view),
    },
    {
      ...common,
      name: 'ResourceGroups_Delete',
      method: 'DELETE',
      handle: (call) => {
        const group = requireGroup(cloud, call)
        const joined = findRemovalReply(cloud, call, group)
        if (joined !== undefined) return joined
        for (const resource of cloud.resources.inGroup(group.key)) {
          cloud.operations.preempt(resource.key, call.now)
          cloud.resources.setState(resource.key, 'Deleting')
        }
        cloud.machines.markGroupDeleting(group.key, call.now)
        return beginRemoval(cloud, call, group, {
          effect: 'group.deleted',
          seconds: durationOf('groupDelete', group.name),
          id: deletionJob(group),
        })
      },
    },
  ]
}

/** Returns the ID of a deletion. Azure encodes the group and location as JSON in base64. */
function deletionJob({ name, location }: Resource): string {
  const escaped = name.replace(/[^a-z0-9]/gi, (sign) => `:${sign.charCodeAt(0).toString(16)}`).toUpperCase()
  const nonce = randomUUID().replaceAll('-', '').slice(0, 16).toUpperCase()
  const jobId = `RESOURCEGROUPDELETIONJOB-${escaped.slice(0, 48)}|${nonce}-${location.toUpperCase()}`
  return Buffer.from(JSON.stringify({ jobId, jobLocation: location })).toString('base64url')
}

export function resourceGroupEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'group.deleted': (operation, instant, failure) => {
      if (failure !== null) {
        for (const resource of cloud.resources.inGroup(operation.target)) {
          cloud.resources.setState(resource.key, 'Failed')
        }
        cloud.machines.revertGroupDeletion(operation.target, instant, failure)
        cloud.resources.setState(operation.target, 'Failed')
        return
      }
      removeGroup(cloud, operation.target, instant)
    },
  }
}

function removeGroup(cloud: AzureCloud, key: string, instant: number): void {
  for (const resource of cloud.resources.inGroup(key)) {
    cloud.machines.markDeleted(resource.uid, instant)
    removeResource(cloud, resource.key, instant)
  }
  removeAssignmentsAt(cloud, key)
  removePoliciesOn(cloud, key)
  cloud.resources.remove(key, instant)
}

export function removeGroupNamed(cloud: AzureCloud, name: string, now: number): boolean {
  const found = cloud.resources.ofType(groupType).find((group) => group.name.toLowerCase() === name.toLowerCase())
  if (found === undefined) return false
  cloud.operations.preempt(found.key, now)
  removeGroup(cloud, found.key, now)
  return true
}

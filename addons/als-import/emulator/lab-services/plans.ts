import { z } from 'zod'
import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { resourceId } from '@trainyard/azure/emulator/arm/ids.ts'
import { parseLocation } from '@trainyard/azure/emulator/arm/locations.ts'
import { param, paths, type Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import { envelope, readBody, tags, without } from '@trainyard/azure/emulator/arm/read-body.ts'
import { durationOf } from '@trainyard/azure/emulator/durations.ts'
import { requireGroupNotDeleting } from '@trainyard/azure/emulator/groups/existing-group.ts'
import {
  beginOperation,
  changedDocument,
  beginCreate,
  findTracked,
  LAB_VERSIONS,
  newDocument,
  ok,
  planType,
  propertiesOf,
  readOperations,
  requireTracked,
  view,
} from './lab-resource.ts'

const planShape = z.looseObject({ ...envelope, properties: z.looseObject({}) })
const changeShape = z.looseObject({ tags: tags.optional(), properties: z.looseObject({}).optional() })

export function planOperations(cloud: AzureCloud): Operation[] {
  const item = { path: paths.item(planType), versions: LAB_VERSIONS }
  return [
    ...readOperations(cloud, planType, 'LabPlans'),
    {
      ...item,
      name: 'LabServices_LabPlans_CreateOrUpdate',
      method: 'PUT',
      handle: (call) => {
        const body = readBody(call, planShape)
        const group = requireGroupNotDeleting(cloud, call)
        const location = parseLocation(body.location, planType)
        const properties = without(body.properties, 'provisioningState')
        const existing = findTracked(cloud, call, planType)
        if (existing !== undefined) {
          const doc = changedDocument(existing, properties, call.now)
          return ok(view(cloud.resources.change(existing.key, { tags: body.tags, doc })))
        }
        const name = param(call, 'name')
        const subscription = param(call, 'subscription')
        const newPlan = cloud.resources.add(
          {
            id: resourceId(subscription, group.name, planType, name),
            type: planType,
            subscription,
            group: group.key,
            name,
            state: 'Creating',
            location,
            tags: body.tags,
            doc: newDocument(properties, call.now),
          },
          call.now,
        )
        return beginCreate(cloud, call, newPlan, durationOf('labPlan', name))
      },
    },
    {
      ...item,
      name: 'LabServices_LabPlans_Update',
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, changeShape)
        const plan = requireTracked(cloud, call, planType)
        const doc = changedDocument(plan, { ...propertiesOf(plan), ...body.properties }, call.now)
        return ok(view(cloud.resources.change(plan.key, { tags: body.tags ?? plan.tags, doc })))
      },
    },
    {
      ...item,
      name: 'LabServices_LabPlans_Delete',
      method: 'DELETE',
      handle: (call) => {
        const plan = requireTracked(cloud, call, planType)
        cloud.resources.setState(plan.key, 'Deleting')
        return beginOperation(cloud, call, plan, {
          effect: 'labServices.deleted',
          seconds: durationOf('labPlan', plan.name),
        })
      },
    },
  ]
}

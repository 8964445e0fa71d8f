import { createHash } from 'node:crypto'
import { z } from 'zod'
import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { resourceId } from '@trainyard/azure/emulator/arm/ids.ts'
import { parseLocation } from '@trainyard/azure/emulator/arm/locations.ts'
import type { Effect } from '@trainyard/azure/emulator/arm/long-operations.ts'
import { param, paths, type Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import { envelope, readBody, tags, without } from '@trainyard/azure/emulator/arm/read-body.ts'
import type { Document } from '@trainyard/azure/emulator/arm/resources.ts'
import { durationOf } from '@trainyard/azure/emulator/durations.ts'
import { requireGroupNotDeleting } from '@trainyard/azure/emulator/groups/existing-group.ts'
import {
  beginOperation,
  changedDocument,
  beginCreate,
  documentOf,
  findTracked,
  LAB_VERSIONS,
  labType,
  newDocument,
  ok,
  propertiesOf,
  readOperations,
  refusedAction,
  requireTracked,
  view,
} from './lab-resource.ts'
import { scaleMachines } from './machines.ts'

/** Largest number of learners' machines. Source: Azure's capacity limits of Lab Services. */
const MAX_CAPACITY = 400

const credentials = z.looseObject({ username: z.string() })
const duration = z.string().regex(/^P(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+S)?)?$/)
const properties = z.looseObject({
  autoShutdownProfile: z.looseObject({}),
  connectionProfile: z.looseObject({}),
  securityProfile: z.looseObject({ openAccess: z.enum(['Enabled', 'Disabled']).optional() }),
  virtualMachineProfile: z.looseObject({
    createOption: z.enum(['Image', 'TemplateVM']),
    imageReference: z.looseObject({}),
    usageQuota: duration,
    sku: z.looseObject({ name: z.string(), capacity: z.int().min(0).max(MAX_CAPACITY).optional() }),
    adminUser: credentials,
    nonAdminUser: credentials.optional(),
  }),
})
const labShape = z.looseObject({ ...envelope, properties })
const changeShape = z.looseObject({ tags: tags.optional(), properties: properties.partial().optional() })

export function labOperations(cloud: AzureCloud): Operation[] {
  const item = { path: paths.item(labType), versions: LAB_VERSIONS }
  return [
    ...readOperations(cloud, labType, 'Labs'),
    {
      ...item,
      name: 'LabServices_Labs_CreateOrUpdate',
      method: 'PUT',
      handle: (call) => {
        const body = readBody(call, labShape)
        const group = requireGroupNotDeleting(cloud, call)
        const location = parseLocation(body.location, labType)
        const existing = findTracked(cloud, call, labType)
        if (existing !== undefined) {
          const next = { ...withDerivedFields(body.properties), ...retainedProperties(propertiesOf(existing)) }
          const doc = changedDocument(existing, next, call.now)
          return ok(view(cloud.resources.change(existing.key, { tags: body.tags, doc })))
        }
        const name = param(call, 'name')
        const subscription = param(call, 'subscription')
        const id = resourceId(subscription, group.name, labType, name)
        const newLab = cloud.resources.add(
          {
            id,
            type: labType,
            subscription,
            group: group.key,
            name,
            state: 'Creating',
            location,
            tags: body.tags,
            doc: newDocument(
              { state: 'Draft', ...withRegistrationCode(withDerivedFields(body.properties), id) },
              call.now,
            ),
          },
          call.now,
        )
        return beginCreate(cloud, call, newLab, durationOf('lab', name))
      },
    },
    {
      ...item,
      name: 'LabServices_Labs_Update',
      method: 'PATCH',
      handle: (call) => {
        const body = readBody(call, changeShape)
        const lab = requireTracked(cloud, call, labType)
        const before = propertiesOf(lab)
        const changes = Object.entries(body.properties ?? {}).map(([name, value]) => [
          name,
          merged(before[name], value),
        ])
        const next = withDerivedFields({ ...before, ...Object.fromEntries(changes) } as Document)
        const doc = changedDocument(lab, next, call.now)
        cloud.resources.change(lab.key, { tags: body.tags ?? lab.tags, doc })
        if (next['state'] === 'Published') scaleMachines(cloud, cloud.resources.get(lab.key), call.now)
        return ok(view(cloud.resources.get(lab.key)))
      },
    },
    {
      ...item,
      name: 'LabServices_Labs_Delete',
      method: 'DELETE',
      handle: (call) => {
        const lab = requireTracked(cloud, call, labType)
        cloud.resources.setState(lab.key, 'Deleting')
        return beginOperation(cloud, call, lab, {
          effect: 'labServices.deleted',
          seconds: durationOf('labDelete', lab.name),
        })
      },
    },
    {
      name: 'LabServices_Labs_Publish',
      method: 'POST',
      path: `${paths.item(labType)}/publish`,
      versions: LAB_VERSIONS,
      handle: (call) => {
        const lab = requireTracked(cloud, call, labType)
        const doc = { ...documentOf(lab), properties: { ...propertiesOf(lab), state: 'Publishing' } }
        cloud.resources.change(lab.key, { doc })
        const plan = { effect: 'labServices.published', seconds: durationOf('labPublish', lab.name) }
        return beginOperation(cloud, call, cloud.resources.get(lab.key), plan)
      },
    },
    {
      name: 'LabServices_Labs_SyncGroup',
      method: 'POST',
      path: `${paths.item(labType)}/syncGroup`,
      versions: LAB_VERSIONS,
      handle: (call) => {
        const lab = requireTracked(cloud, call, labType)
        const roster = propertiesOf(lab)['rosterProfile'] as { activeDirectoryGroupId?: unknown } | undefined
        if (typeof roster?.activeDirectoryGroupId !== 'string') {
          return refusedAction('CannotSyncWithoutGroup', 'The lab has no group to synchronize with.')
        }
        return beginOperation(cloud, call, lab, {
          effect: 'labServices.settled',
          seconds: durationOf('labPlan', lab.name),
        })
      },
    },
  ]
}

/** Adds the fields that the service derives, and removes passwords, which it never returns. */
function withDerivedFields(document: Document): Document {
  const profile = document['virtualMachineProfile'] as Record<string, unknown>
  const image = profile['imageReference'] as { offer?: unknown; publisher?: unknown }
  const isWindows = /windows/i.test(`${String(image.publisher)} ${String(image.offer)}`)
  return {
    ...without(document, 'provisioningState'),
    virtualMachineProfile: {
      ...profile,
      osType: profile['osType'] ?? (isWindows ? 'Windows' : 'Linux'),
      additionalCapabilities: profile['additionalCapabilities'] ?? { installGpuDrivers: 'Disabled' },
      ...Object.fromEntries(
        ['adminUser', 'nonAdminUser'].flatMap((name) => {
          const user = profile[name] as { username: string } | undefined
          return user === undefined ? [] : [[name, { username: user.username }]]
        }),
      ),
    },
  }
}

/** Adds a registration code of nine characters, which each new lab gets. */
function withRegistrationCode(document: Document, id: string): Document {
  const registrationCode = createHash('sha256').update(id.toLowerCase()).digest('hex').slice(0, 9)
  const security = document['securityProfile'] as Record<string, unknown>
  return { ...document, securityProfile: { registrationCode, openAccess: 'Disabled', ...security } }
}

/** Returns the properties that a replacing PUT retains. */
const retainedProperties = (before: Document): Document => ({
  state: before['state'],
  securityProfile: before['securityProfile'],
})

const merged = (before: unknown, change: unknown): unknown =>
  isObject(before) && isObject(change) ? { ...before, ...change } : change

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function labEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'labServices.published': ({ target }, at, failure) => {
      const lab = cloud.resources.find(target)
      if (lab === undefined) return
      const properties = { ...propertiesOf(lab), state: failure === null ? 'Published' : 'Draft' }
      cloud.resources.change(target, { doc: { ...documentOf(lab), properties } })
      if (failure === null) scaleMachines(cloud, cloud.resources.get(target), at)
    },
  }
}

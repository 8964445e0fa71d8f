import { randomUUID } from 'node:crypto'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { keyOf, resourceId } from '@trainyard/azure/emulator/arm/ids.ts'
import { type Effect, endState, type LongOperation } from '@trainyard/azure/emulator/arm/long-operations.ts'
import { type Answer, type Call, type Operation, param, paths } from '@trainyard/azure/emulator/arm/operation.ts'
import { labStatusOf, unsignedStatusAddress } from '@trainyard/azure/emulator/arm/lab-polls.ts'
import { host, resultAddress, statusAddress } from '@trainyard/azure/emulator/arm/poll-addresses.ts'
import { resourceNotFound } from '@trainyard/azure/emulator/arm/refusal.ts'
import type { Document, Resource } from '@trainyard/azure/emulator/arm/resources.ts'
import { requireGroup, requireGroupNotDeleting } from '@trainyard/azure/emulator/groups/existing-group.ts'

export const planType = 'Microsoft.LabServices/labPlans'
export const labType = 'Microsoft.LabServices/labs'
export const childType = (child: 'users' | 'schedules' | 'virtualMachines'): string => `${labType}/${child}`

/** Versions that the service supports. Source: its header api-supported-versions, recorded in July 2025. */
export const LAB_VERSIONS = [
  '2021-10-01-preview',
  '2021-11-15-preview',
  '2022-05-01-preview',
  '2022-08-01',
  '2023-06-07',
]

const SUPPORTED = { 'api-supported-versions': ['2020-05-01-preview', ...LAB_VERSIONS].join(', ') }

/** Identity of the app registration in `systemData`. */
const CALLER = '00000000-0000-4000-8000-000000000004'

export interface LabDocument extends Document {
  readonly properties: Document
  readonly createdAt: string
  readonly changedAt: string
}

export const documentOf = (resource: Resource): LabDocument => resource.doc as LabDocument
export const propertiesOf = (resource: Resource): Document => documentOf(resource).properties

export function newDocument(properties: Document, now: number): LabDocument {
  const at = formatInstant(now)
  return { properties, createdAt: at, changedAt: at }
}

export function changedDocument(resource: Resource, properties: Document, now: number): LabDocument {
  return { ...documentOf(resource), properties, changedAt: formatInstant(now) }
}

/** Instants have seven digits, as recorded. */
const formatInstant = (now: number): string => iso(now).replace('Z', '0000Z')

export const ok = (body: unknown): Answer => ({ status: 200, headers: SUPPORTED, body })

/** Returns the reply for a missing child. Only the service itself answers in this format; ARM reports missing labs. */
export const missingChild = (): Answer => ({
  status: 404,
  headers: { ...SUPPORTED, 'content-type': 'application/problem+json; charset=utf-8' },
  body: {
    type: 'https://tools.ietf.org/html/rfc7231#section-6.5.4',
    title: 'Not Found',
    status: 404,
    traceId: `00-${hex()}-${hex().slice(0, 16)}-01`,
  },
})

const hex = (): string => randomUUID().replaceAll('-', '')

/** Returns the service's reply to a refused action: unlike ARM's reply, it has empty details. */
export const refusedAction = (code: string, message: string): Answer => ({
  status: 400,
  headers: SUPPORTED,
  body: { error: { code, message, details: [], additionalInfo: [] } },
})

export function view(resource: Resource): Record<string, unknown> {
  const { properties, createdAt, changedAt } = documentOf(resource)
  const isTracked = resource.parent === null
  return {
    systemData: {
      createdBy: CALLER,
      createdByType: 'Application',
      createdAt,
      lastModifiedBy: CALLER,
      lastModifiedByType: 'Application',
      lastModifiedAt: changedAt,
    },
    properties: { provisioningState: resource.state, ...properties },
    ...(isTracked ? { tags: resource.tags ?? {}, location: resource.location } : {}),
    id: resource.id,
    name: resource.name,
    type: resource.type,
  }
}

/** @throws Refusal if the group or the resource does not exist */
export function requireTracked(cloud: AzureCloud, call: Call, type: string): Resource {
  const group = requireGroup(cloud, call)
  const found = cloud.resources.find(trackedKey(call, group, type))
  if (found === undefined) throw resourceNotFound(type, param(call, 'name'), param(call, 'group'))
  return found
}

export function findTracked(cloud: AzureCloud, call: Call, type: string): Resource | undefined {
  return cloud.resources.find(trackedKey(call, requireGroupNotDeleting(cloud, call), type))
}

const trackedKey = (call: Call, group: Resource, type: string): string =>
  keyOf(resourceId(param(call, 'subscription'), group.name, type, param(call, 'name')))

/**
 * Returns the headers of a long operation's reply. No reply has a Retry-After.
 * @param createdResource resource that a PUT created, whose address is the location
 */
function pollReply(call: Call, operation: LongOperation, createdResource?: Resource): Record<string, string> {
  const { version } = call
  return {
    ...SUPPORTED,
    'azure-asyncoperation': statusAddress(operation, version),
    'operation-location': unsignedStatusAddress(operation, version),
    location:
      createdResource === undefined
        ? resultAddress(operation, version)
        : `${host}${createdResource.id}?api-version=${version}`,
  }
}

/** Starts an operation and replies 202 with its status. */
export function beginOperation(
  cloud: AzureCloud,
  call: Call,
  resource: Resource,
  plan: { effect: string; seconds: number },
): Answer {
  const operation = cloud.operations.begin(call, resource, plan)
  return { status: 202, headers: pollReply(call, operation), body: labStatusOf(operation) }
}

export function beginCreate(cloud: AzureCloud, call: Call, resource: Resource, seconds: number): Answer {
  const before = view(resource)
  const operation = cloud.operations.begin(call, resource, { effect: 'labServices.created', seconds })
  return { status: 201, headers: pollReply(call, operation, resource), body: before }
}

export const createdAtOnce = (call: Call, resource: Resource): Answer => ({
  status: 201,
  headers: { ...SUPPORTED, location: `${host}${resource.id}?api-version=${call.version}` },
  body: view(resource),
})

/** Returns the operations that list and show the resources of a type. */
export function readOperations(cloud: AzureCloud, type: string, names: 'Labs' | 'LabPlans'): Operation[] {
  const read = (operation: string, path: string, handle: Operation['handle']): Operation => ({
    name: `LabServices_${names}_${operation}`,
    method: 'GET',
    path,
    versions: LAB_VERSIONS,
    handle,
  })
  return [
    read('ListBySubscription', paths.all(type), (call) => listTracked(cloud, call, type)),
    read('ListByResourceGroup', paths.list(type), (call) => listTracked(cloud, call, type)),
    read('Get', paths.item(type), (call) => ok(view(requireTracked(cloud, call, type)))),
  ]
}

/** Returns all labs or plans in one page, because the real service returned 402 kB without a link to a next page. */
function listTracked(cloud: AzureCloud, call: Call, type: string): Answer {
  const subscription = param(call, 'subscription').toLowerCase()
  const group = call.params['group'] === undefined ? null : requireGroup(cloud, call)
  const found = cloud.resources
    .ofType(type)
    .filter((each) => each.subscription === subscription && (group === null || each.group === group.key))
  return ok({ value: found.map(view) })
}

const FILTER = /^properties\/(\w+) eq '(.*)'$/i

/** Filters a list by the one form of `$filter` that was recorded; other forms are ignored. */
export function filtered(call: Call, resources: readonly Resource[]): readonly Resource[] {
  const [, field, value] = FILTER.exec(call.query['$filter'] ?? '') ?? []
  if (field === undefined || value === undefined) return resources
  return resources.filter((resource) => {
    const [, found] = Object.entries(propertiesOf(resource)).find(([name]) => same(name, field)) ?? []
    return typeof found === 'string' && same(found, value)
  })
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

export function labServicesEffects(cloud: AzureCloud): Record<string, Effect> {
  const settle: Effect = ({ target }, _at, failure) => {
    if (cloud.resources.find(target) === undefined) return
    cloud.resources.setState(target, endState(failure))
  }
  return {
    'labServices.created': settle,
    'labServices.settled': settle,
    'labServices.deleted': ({ target }, at, failure) => {
      if (failure === null) cloud.resources.remove(target, at)
      else cloud.resources.setState(target, 'Failed')
    },
  }
}

import { z } from 'zod'
import { iso } from '@trainyard/platform/emulator/clock/clock.ts'
import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { keyOf } from '@trainyard/azure/emulator/arm/ids.ts'
import type { Effect } from '@trainyard/azure/emulator/arm/long-operations.ts'
import { param, paths, type Call, type Operation } from '@trainyard/azure/emulator/arm/operation.ts'
import { readBody, without } from '@trainyard/azure/emulator/arm/read-body.ts'
import type { Document, Resource } from '@trainyard/azure/emulator/arm/resources.ts'
import { durationOf } from '@trainyard/azure/emulator/durations.ts'
import {
  beginOperation,
  changedDocument,
  childType,
  createdAtOnce,
  filtered,
  LAB_VERSIONS,
  labType,
  missingChild,
  newDocument,
  ok,
  propertiesOf,
  requireTracked,
  view,
} from './lab-resource.ts'
import { machinesOf } from './machines.ts'

const duration = z.string().regex(/^P/)
const userShape = z.looseObject({
  properties: z.looseObject({ email: z.string().min(3), additionalUsageQuota: duration.optional() }),
})
const changeShape = z.looseObject({
  properties: z.looseObject({ additionalUsageQuota: duration.optional() }).optional(),
})
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}/)
const scheduleFields = {
  startAt: z.string().optional(),
  stopAt: z.string().optional(),
  timeZoneId: z.string(),
  recurrencePattern: z
    .looseObject({ frequency: z.enum(['Daily', 'Weekly']), expirationDate: day, interval: z.int().min(1).optional() })
    .optional(),
}
const scheduleShape = z.looseObject({ properties: z.looseObject(scheduleFields) })
const scheduleChange = z.looseObject({
  properties: z.looseObject({ ...scheduleFields, timeZoneId: z.string().optional() }).optional(),
})

type Kind = 'users' | 'schedules'

export function childOperations(cloud: AzureCloud): Operation[] {
  return [
    ...crud(cloud, {
      kind: 'users',
      name: 'Users',
      create: (call) => withUserState(readBody(call, userShape).properties),
      change: (call) => readBody(call, changeShape).properties ?? {},
    }),
    ...crud(cloud, {
      kind: 'schedules',
      name: 'Schedules',
      create: (call) => withWallTimes(readBody(call, scheduleShape).properties),
      change: (call) => withWallTimes(readBody(call, scheduleChange).properties ?? {}),
    }),
    {
      name: 'LabServices_Users_Invite',
      method: 'POST',
      path: `${paths.child(labType, 'users')}/invite`,
      versions: LAB_VERSIONS,
      handle: (call) => {
        const user = findChild(cloud, call, 'users')
        if (user === undefined) return missingChild()
        setUser(cloud, user, { invitationState: 'Sending' }, call.now)
        const plan = { effect: 'labServices.invited', seconds: durationOf('labInvitation', user.name) }
        return beginOperation(cloud, call, user, plan)
      },
    },
  ]
}

interface ChildKind {
  readonly kind: Kind
  readonly name: string
  readonly create: (call: Call) => Document
  readonly change: (call: Call) => Document
}

function crud(cloud: AzureCloud, { kind, name, create, change }: ChildKind): Operation[] {
  const item = { path: paths.child(labType, kind), versions: LAB_VERSIONS }
  return [
    {
      name: `LabServices_${name}_ListByLab`,
      method: 'GET',
      path: paths.children(labType, kind),
      versions: LAB_VERSIONS,
      handle: (call) => {
        const lab = requireTracked(cloud, call, labType)
        const children = cloud.resources.parts(lab.key).filter(({ type }) => type === childType(kind))
        return ok({ value: filtered(call, children).map(view) })
      },
    },
    {
      ...item,
      name: `LabServices_${name}_Get`,
      method: 'GET',
      handle: (call) => {
        const found = findChild(cloud, call, kind)
        return found === undefined ? missingChild() : ok(view(found))
      },
    },
    {
      ...item,
      name: `LabServices_${name}_CreateOrUpdate`,
      method: 'PUT',
      handle: (call) => {
        const properties = without(create(call), 'provisioningState')
        const lab = requireTracked(cloud, call, labType)
        const existing = findChild(cloud, call, kind)
        if (existing !== undefined) {
          const doc = changedDocument(existing, { ...propertiesOf(existing), ...properties }, call.now)
          return ok(view(cloud.resources.change(existing.key, { doc })))
        }
        const child = param(call, 'child')
        const created = cloud.resources.add(
          {
            id: `${lab.id}/${kind}/${child}`,
            type: childType(kind),
            subscription: lab.subscription,
            group: lab.group,
            parent: lab.key,
            name: child,
            state: 'Succeeded',
            location: lab.location,
            doc: newDocument(properties, call.now),
          },
          call.now,
        )
        return createdAtOnce(call, created)
      },
    },
    {
      ...item,
      name: `LabServices_${name}_Update`,
      method: 'PATCH',
      handle: (call) => {
        const changes = change(call)
        const found = findChild(cloud, call, kind)
        if (found === undefined) return missingChild()
        const doc = changedDocument(found, { ...propertiesOf(found), ...changes }, call.now)
        return ok(view(cloud.resources.change(found.key, { doc })))
      },
    },
    {
      ...item,
      name: `LabServices_${name}_Delete`,
      method: 'DELETE',
      handle: (call) => {
        const found = findChild(cloud, call, kind)
        if (found === undefined) return missingChild()
        return beginOperation(cloud, call, found, {
          effect: 'labServices.deleted',
          seconds: durationOf('labChild', found.name),
        })
      },
    },
  ]
}

function findChild(cloud: AzureCloud, call: Call, kind: Kind): Resource | undefined {
  const lab = requireTracked(cloud, call, labType)
  return cloud.resources.find(keyOf(`${lab.id}/${kind}/${param(call, 'child')}`))
}

/** The service decides about registration and invitation; a PUT cannot set them. */
const withUserState = (document: Document): Document => ({
  email: document['email'],
  registrationState: 'NotRegistered',
  invitationState: 'NotSent',
  totalUsage: 'PT0S',
  additionalUsageQuota: document['additionalUsageQuota'] ?? 'PT0S',
})

/** Offsets are ignored: the digits are returned with a Z, although they are wall time in `timeZoneId`. */
function withWallTimes(document: Document): Document {
  const times = ['startAt', 'stopAt'].flatMap((name) => {
    const value = document[name]
    return typeof value === 'string' ? [[name, `${value.slice(0, 19)}Z`]] : []
  })
  return { ...document, ...Object.fromEntries(times) }
}

function setUser(cloud: AzureCloud, user: Resource, changes: Document, now: number): void {
  cloud.resources.change(user.key, { doc: changedDocument(user, { ...propertiesOf(user), ...changes }, now) })
}

export function invitationEffects(cloud: AzureCloud): Record<string, Effect> {
  return {
    'labServices.invited': ({ target }, at, failure) => {
      const user = cloud.resources.find(target)
      if (user === undefined) return
      const sent = { invitationState: 'Sent', invitationSent: iso(at).replace('Z', '') }
      setUser(cloud, user, failure === null ? sent : { invitationState: 'Failed' }, at)
    },
  }
}

/**
 * Registers a user, which no call of Lab Services can do: users register at Azure's web page. The user gets the first
 * free machine. Returns false if the user does not exist.
 */
export function registerUser(
  cloud: AzureCloud,
  { lab, user, displayName, totalUsage }: { lab: string; user: string; displayName: string; totalUsage: string },
  now: number,
): boolean {
  const found = cloud.resources.find(keyOf(`${lab}/users/${user}`))
  const parent = cloud.resources.find(keyOf(lab))
  if (found === undefined || parent === undefined) return false
  setUser(cloud, found, { displayName, registrationState: 'Registered', totalUsage }, now)
  const free = machinesOf(cloud, parent).find((machine) => {
    const { vmType, claimedByUserId } = propertiesOf(machine)
    return vmType === 'User' && claimedByUserId === undefined
  })
  if (free !== undefined) {
    const properties = { ...propertiesOf(free), claimedByUserId: found.id }
    cloud.resources.change(free.key, { doc: changedDocument(free, properties, now) })
  }
  return true
}

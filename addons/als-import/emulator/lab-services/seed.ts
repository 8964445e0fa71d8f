import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import type { AzureCloud } from '@trainyard/azure/emulator/cloud.ts'
import { groupId, keyOf, resourceId } from '@trainyard/azure/emulator/arm/ids.ts'
import type { Resource } from '@trainyard/azure/emulator/arm/resources.ts'
import { groupType } from '@trainyard/azure/emulator/groups/resource-groups.ts'
import { childType, labType, newDocument, planType } from './lab-resource.ts'
import { scaleMachines } from './machines.ts'
import { assignLabRole } from '@trainyard/azure/emulator/authorization/role-assignments.ts'
import { registerUser } from './users.ts'

const namedShape = z.strictObject({ name: z.string(), properties: z.record(z.string(), z.unknown()) })

/** Labs with registered users, used hours and claimed machines, which no call to Azure can create. */
export const labsShape = z.strictObject({
  subscription: z.guid(),
  group: z.string(),
  location: z.string(),
  plan: namedShape,
  labs: z.array(
    namedShape.extend({
      users: z.array(namedShape),
      schedules: z.array(namedShape),
      /** Users of the directory with a role at the lab. */
      roles: z.array(z.strictObject({ role: z.string(), email: z.string(), displayName: z.string() })).default([]),
    }),
  ),
})

/** Creates or replaces a plan with its labs. Registered users claim machines. */
export function seedLabs(cloud: AzureCloud, input: z.output<typeof labsShape>, now: number): void {
  const { subscription, group, location, plan, labs } = input
  const groupKey = keyOf(groupId(subscription, group))
  if (cloud.resources.find(groupKey) === undefined) {
    cloud.resources.add(
      {
        id: groupId(subscription, group),
        type: groupType,
        subscription,
        group: groupKey,
        name: group,
        state: 'Succeeded',
        location,
        doc: {},
      },
      now,
    )
  }
  const add = (
    type: string,
    id: string,
    { name, properties }: z.output<typeof namedShape>,
    parent?: Resource,
  ): Resource => {
    cloud.resources.remove(keyOf(id), now)
    return cloud.resources.add(
      {
        id,
        type,
        subscription,
        group: groupKey,
        ...(parent === undefined ? {} : { parent: parent.key }),
        name,
        state: 'Succeeded',
        location,
        doc: newDocument(properties, now),
      },
      now,
    )
  }
  const planId = resourceId(subscription, group, planType, plan.name)
  add(planType, planId, plan)
  for (const { users, schedules, roles, ...lab } of labs) {
    const id = resourceId(subscription, group, labType, lab.name)
    const createdLab = add(labType, id, { ...lab, properties: { ...lab.properties, labPlanId: planId } })
    if (lab.properties['state'] === 'Published') scaleMachines(cloud, createdLab, now)
    for (const { role, email, displayName } of roles) {
      const principal = cloud.directory.existing(email)?.id ?? addStaff(cloud, email, displayName, now)
      assignLabRole(cloud, { lab: id, role, principal }, now)
    }
    for (const user of users) {
      add(childType('users'), `${id}/users/${user.name}`, user, createdLab)
      if (user.properties['registrationState'] !== 'Registered') continue
      const { displayName, totalUsage } = user.properties
      registerUser(
        cloud,
        { lab: id, user: user.name, displayName: String(displayName), totalUsage: String(totalUsage) },
        now,
      )
    }
    for (const schedule of schedules)
      add(childType('schedules'), `${id}/schedules/${schedule.name}`, schedule, createdLab)
  }
}

function addStaff(cloud: AzureCloud, email: string, displayName: string, now: number): string {
  const user = {
    upn: email,
    displayName,
    mailNickname: email.split('@', 1)[0]!,
    more: { mail: email },
    enabled: true,
    password: randomUUID(),
    mustChange: false,
  }
  return cloud.directory.add(user, now, 0).id
}

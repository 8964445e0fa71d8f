import { createHash } from 'node:crypto'
import { Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import type { Machine } from './machines.ts'
import type { MachineBody } from './machine-body.ts'

type StoredMachine = Pick<MachineBody, 'plan' | 'properties'>

export function hashPassword(uid: string, password: string | undefined): string | null {
  return password === undefined ? null : createHash('sha256').update(`${uid}:${password}`).digest('base64')
}

/**
 * A PUT on an existing machine may repeat its properties.
 * @throws Refusal if the body changes a property that Azure does not allow to change
 */
export function refuseChanged(existing: Resource, machine: Machine, body: MachineBody): void {
  const before = existing.doc as StoredMachine
  const { osProfile, storageProfile, networkProfile } = body.properties
  const password = osProfile?.adminPassword
  if (password !== undefined && hashPassword(machine.uid, password) !== machine.password) {
    throw notAllowed('osProfile.adminPassword')
  }
  for (const name of ['computerName', 'adminUsername'] as const) {
    const requested = osProfile?.[name]
    if (requested !== undefined && requested !== before.properties.osProfile?.[name])
      throw notAllowed(`osProfile.${name}`)
  }
  const image = before.properties.storageProfile.imageReference
  for (const name of ['id', 'publisher', 'offer', 'sku', 'version'] as const) {
    const requested = storageProfile.imageReference?.[name]
    if (requested?.toLowerCase() !== image?.[name]?.toLowerCase()) throw notAllowed('imageReference')
  }
  const disk = storageProfile.osDisk
  const diskBefore = before.properties.storageProfile.osDisk
  if (disk.name !== undefined && disk.name !== diskBefore.name) throw notAllowed('osDisk.name')
  if (disk.createOption !== diskBefore.createOption) throw notAllowed('osDisk.createOption')
  for (const name of ['name', 'product', 'publisher'] as const) {
    if (body.plan?.[name] !== before.plan?.[name]) throw notAllowed('plan')
  }
  const networkInterfaces = (model: StoredMachine['properties']['networkProfile']): string =>
    (model?.networkInterfaces ?? [])
      .map(({ id }) => id.toLowerCase())
      .sort()
      .join()
  if (networkInterfaces(networkProfile) !== networkInterfaces(before.properties.networkProfile))
    throw notAllowed('networkProfile')
}

function notAllowed(property: string): Refusal {
  return new Refusal(409, 'PropertyChangeNotAllowed', `Changing property '${property}' is not allowed.`, {
    target: property,
  })
}

import { createHash } from 'node:crypto'
import type { NetworkInterface } from '@azure/arm-network'
import type { AzureRef, AzureMachineSpec } from './azure-spec.ts'

const MACHINE_TAG = 'trainyard-machine'

export const networkInterfaceName = (ref: AzureRef) => `${ref.name}-nic`
export const addressName = (ref: AzureRef) => `${ref.name}-ip`
export const diskName = (ref: AzureRef) => `${ref.name}-os`

export const sharedTags = { trainyard: 'shared' }

export function machineTags(spec: AzureMachineSpec): Record<string, string> {
  return {
    ...spec.tags,
    [MACHINE_TAG]: spec.id,
    'trainyard-training': tagValue(spec.training),
    'trainyard-organisation': tagValue(spec.organisation),
  }
}

/**
 * Returns a valid tag value. Cut to 128 code points, which are at most 256 UTF-16 units, Azure's limit. Control
 * characters are replaced by spaces.
 */
export function tagValue(text: string): string {
  return Array.from(text.replace(/\p{Cc}/gu, ' '))
    .slice(0, 128)
    .join('')
    .trim()
}

/** Returns the machine's ID from its tags. Azure may change the case of tag names. */
export function machineIdIn(tags: Record<string, string> | undefined): string | undefined {
  const found = Object.entries(tags ?? {}).find(([name]) => name.toLowerCase() === MACHINE_TAG)
  return found?.[1]
}

/** Returns the guest's host name. Windows allows 15 characters, so longer names get a hash to stay unique. */
export function computerName(spec: AzureMachineSpec): string {
  const limit = spec.os === 'Windows' ? 15 : 64
  const normalised = spec.name.replace(/[^A-Za-z0-9-]/g, '-').replace(/^-+|-+$/g, '')
  const validName = /^\d*$/.test(normalised) ? `vm-${normalised}` : normalised
  if (validName.length <= limit) return validName
  const suffix = createHash('sha256').update(spec.id).digest('hex').slice(0, 6)
  return `${validName.slice(0, limit - suffix.length - 1).replace(/-+$/, '')}-${suffix}`
}

/** Returns the address of a network interface in its subnet. */
export const privateAddressIn = ({ ipConfigurations = [] }: Pick<NetworkInterface, 'ipConfigurations'>) =>
  (ipConfigurations.find(({ primary }) => primary) ?? ipConfigurations[0])?.privateIPAddress

/**
 * Returns the resource group in a resource id. It must be compared without case, because lists sometimes return it in
 * capitals.
 */
export function resourceGroupIn(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\//i.exec(id)?.[1]
}

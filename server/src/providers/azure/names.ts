import { createHash } from 'node:crypto'
import type { MachinePlace, MachineSpec } from '../cloud.ts'

/** Tag that carries our machine id on everything a machine brought. */
const MACHINE_TAG = 'trainyard-machine'

/** Everything a machine brings has a name that follows from the machine's, so that a repeat finds it. */
export const networkInterfaceName = (place: MachinePlace) => `${place.name}-nic`
export const addressName = (place: MachinePlace) => `${place.name}-ip`
export const diskName = (place: MachinePlace) => `${place.name}-os`

/** Tags of things that many machines share: never deleted with a machine. */
export const sharedTags = { trainyard: 'shared' }

export function machineTags(spec: MachineSpec): Record<string, string> {
  return {
    [MACHINE_TAG]: spec.id,
    'trainyard-training': tagValue(spec.training),
    'trainyard-organisation': tagValue(spec.organisation),
  }
}

/** Azure takes 256 characters in a tag's value; control characters are of no use to anyone there. */
export function tagValue(text: string): string {
  return Array.from(text.replace(/\p{Cc}/gu, ' '))
    .slice(0, 128)
    .join('')
    .trim()
}

/** Azure keeps tag names in any case it likes, so they are compared without it. */
export function machineIdIn(tags: Record<string, string> | undefined): string | undefined {
  const found = Object.entries(tags ?? {}).find(([name]) => name.toLowerCase() === MACHINE_TAG)
  return found?.[1]
}

/** The name the guest gives itself. Windows takes 15 characters; those that would be cut share no ending then. */
export function computerName(spec: MachineSpec): string {
  const limit = spec.os === 'Windows' ? 15 : 64
  const plain = spec.name.replace(/[^A-Za-z0-9-]/g, '-').replace(/^-+|-+$/g, '')
  const named = /^\d*$/.test(plain) ? `vm-${plain}` : plain
  if (named.length <= limit) return named
  const mark = createHash('sha256').update(spec.id).digest('hex').slice(0, 6)
  return `${named.slice(0, limit - mark.length - 1).replace(/-+$/, '')}-${mark}`
}

/** The resource group in a resource id. Lists give it in capitals at times: compare it without case. */
export function resourceGroupIn(id: string): string | undefined {
  return /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\//i.exec(id)?.[1]
}

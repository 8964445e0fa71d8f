import type { Machine } from '@trainyard/contract/calls/machine.ts'

/** How one connects to a machine from one's own computer; null while it has no address. */
export function connectCommand(machine: Pick<Machine, 'osType' | 'publicIp' | 'adminUsername'>): string | null {
  if (machine.publicIp === null) return null
  return machine.osType === 'Windows'
    ? `mstsc /v:${machine.publicIp}`
    : `ssh ${machine.adminUsername}@${machine.publicIp}`
}

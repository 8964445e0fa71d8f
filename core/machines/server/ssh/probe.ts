import type { MachineAddress } from '@trainyard/templates/server/machine-address.ts'

export const REMOTE_PROTOCOLS = {
  Linux: { protocol: 'SSH', port: 22 },
  Windows: { protocol: 'RDP', port: 3389 },
} as const

export interface AccessProbe {
  /** Returns true if the address responds. Sends no secret and does not act on the response. */
  responds(at: MachineAddress, os: keyof typeof REMOTE_PROTOCOLS, signal: AbortSignal): Promise<boolean>
}

import { z } from 'zod'
import type { LxdAddress } from './client.ts'

/** A size of machines, which the operator defines. */
export const lxdSize = z.object({
  name: z.string().min(1),
  cores: z.int().min(1),
  memoryMb: z.int().min(64),
  diskGb: z.int().min(1),
})
export type LxdSize = z.output<typeof lxdSize>

export interface LxdSettings {
  readonly address: LxdAddress
  readonly project: string
  /** Storage pool of the machines' disks. */
  readonly pool: string
  readonly sizes: readonly LxdSize[]
  /** Private range of /16. Each training has a /24 of it. */
  readonly networkRange: string
  /** IPv4 prefixes that machines cannot reach, besides private ranges and the addresses of the daemon. */
  readonly closedRanges: readonly string[]
}

import { z } from 'zod'
import type { Place } from '@trainyard/templates/contract/provider.ts'
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

/** An LXD server or cluster is one location. */
const LOCATION = 'lxd'

/** Aliases of the images that `npm run images` builds. */
export const IMAGE_ALIASES = { terminal: 'lab-ssh', desktop: 'lab-desktop' } as const

/** Returns the place of a template. It contains the range in which the portal connects to the machines. */
export const placeIn = ({ project, networkRange }: Pick<LxdSettings, 'project' | 'networkRange'>): Place => ({
  group: project,
  location: LOCATION,
  range: networkRange,
})

/** Returns the size in the words of a VM card. */
export const wordsOf = ({ cores, memoryMb, diskGb }: LxdSize) => ({
  cpu: `${cores} vCPU`,
  memory: memoryMb % 1024 === 0 ? `${memoryMb / 1024} GB` : `${memoryMb} MB`,
  storage: `${diskGb} GB`,
})

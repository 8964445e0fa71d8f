import type { AddressKind, PortProtocol } from '@trainyard/platform/contract/words/network.ts'
import type { TrueOrReason } from '@trainyard/platform/contract/words/true-or-reason.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import type { ImageReference, Place, Size } from '../contract/provider.ts'

/**
 * Provider interface of a cloud. Every call is idempotent: a call that is repeated with the same input finds the
 * resources of the first call.
 */
export interface Cloud {
  /**
   * Creates a machine and the resources that it needs. Resolves once the provider has accepted the request, before the
   * machine runs.
   */
  createMachine(spec: MachineSpec, signal: AbortSignal): Promise<Accepted>
  /**
   * Starts a stopped machine. Resolves when the provider has accepted the request. A running machine is not an error.
   */
  startMachine(at: CloudMachineRef, signal: AbortSignal): Promise<Accepted>
  /** Stops a machine so that its compute is no longer billed (deallocation, not shutdown). */
  stopMachine(at: CloudMachineRef, signal: AbortSignal): Promise<Accepted>
  restartMachine(at: CloudMachineRef, signal: AbortSignal): Promise<Accepted>
  /** Performs the next step and returns what remains. Call again until nothing remains. */
  deleteMachine(machine: MachineToDelete, signal: AbortSignal): Promise<MachineDeletion>
  /** Sets a password. Call again until it returns `set`. A change in progress is found and not started twice. */
  setPassword(account: MachineAccount, signal: AbortSignal): Promise<'set' | 'working'>
  /**
   * Performs the next step. Call again until `ready` or `failed`. The provider's ID is known from the first step on and
   * does not change.
   */
  captureMachine(image: ImageSpec, signal: AbortSignal): Promise<Capture>
  /** Performs the next step of deleting what a capture created. Call again until nothing remains. */
  deleteImage(image: ImageSpec, signal: AbortSignal): Promise<Deletion>
  /** Returns the detailed state of one machine with its address; `absent` if no machine of that name exists. */
  getMachine(at: MachineToRead, signal: AbortSignal): Promise<MachineReading>
  /**
   * Returns the public SSH host key (RFC 4253) of a running Linux machine, read past its network; null: it has none yet.
   * Omitted: the provider cannot read it, and the first key that the machine offers is trusted.
   */
  readHostKey?(at: CloudMachineRef, signal: AbortSignal): Promise<Buffer | null>
  /**
   * Performs the next step; leaves the rules of other owners unchanged. Call again until `held`. `absent`: there is no
   * group yet.
   */
  updateRules(at: SecurityGroupRef, rules: WantedRules, signal: AbortSignal): Promise<'held' | 'changed' | 'absent'>
  /** Deletes a security group that no machine uses. Call again until nothing remains. */
  deleteSecurityGroup(at: SecurityGroupRef, signal: AbortSignal): Promise<Deletion>
  getOffers(location: string, signal: AbortSignal): Promise<Offers>
  /** Returns true if machines may be created from the image, or the sentence that says which terms to accept. */
  hasAcceptedTerms(image: ImageReference, signal: AbortSignal): Promise<TrueOrReason>
  /** Lists the state of every machine, ours or not, in as few calls as the provider allows. */
  listMachines(signal: AbortSignal): AsyncIterable<ListedMachine>
  /** Lists every machine with the portal's tag, without its state, in as few calls as the provider allows. */
  listTaggedMachines(signal: AbortSignal): AsyncIterable<TaggedMachine>
}

/** The providers of machines by their names, which templates and machines have in `provider`. */
export type Clouds = Readonly<Record<string, Cloud>>

/** @throws CloudError unauthorised if the provider is not set up */
export function cloudOf(clouds: Clouds, provider: string): Cloud {
  const cloud = clouds[provider]
  if (cloud === undefined)
    throw new CloudError('unauthorised', `The provider ${provider} is not set up on this portal.`)
  return cloud
}

export interface CloudMachineRef {
  /** Lists return only the container, which is all that names a machine. */
  readonly place: Pick<Place, 'group'>
  readonly name: string
}

export interface MachineToRead extends CloudMachineRef {
  /** Which address to return. Default: public address. */
  readonly addressKind?: AddressKind
}

export interface MachineToDelete extends CloudMachineRef {
  /** When the machine was first observed, by the provider's clock. Null: never observed. */
  readonly firstSeenAt: Date | null
  /**
   * True if the last observation found the machine and no deletion was requested since. The machine then need not be
   * read first.
   */
  readonly isKnownToExist: boolean
  /**
   * ID of the machine whose resources are deleted. Resources with another tag remain. Omitted for machines that have a
   * row.
   */
  readonly onlyTagged?: string
}

export interface SecurityGroupRef {
  readonly place: Place
  readonly name: string
}

export interface WantedRules {
  readonly ports: readonly OpenPort[]
  /** Sources of SSH and remote desktop: IPv4 prefixes, service tags or `*`. Omitted: the sources do not change. */
  readonly managementSources?: readonly string[]
}

/** A port that is open. If the priority is taken at the provider, another one is used. */
export interface OpenPort {
  readonly port: number
  readonly priority: number
  /** Default: TCP and UDP. */
  readonly protocol?: PortProtocol
  /** IPv4 prefix; null: any address. */
  readonly source?: string | null
}

export interface MachineSpec extends CloudMachineRef {
  readonly id: string
  readonly organisation: string
  readonly training: string
  readonly place: Place
  readonly securityGroup: string
  /** Default: public address. */
  readonly addressKind?: AddressKind
  /** Address ranges of the private network, one of which must contain the subnet. Default: none. */
  readonly privateRanges?: readonly string[]
  readonly size: Size
  readonly os: 'Windows' | 'Linux'
  /** Sources of SSH and remote desktop if the security group does not exist yet. Default: any address. */
  readonly managementSources?: readonly string[]
  readonly licence: 'Windows_Server' | 'none'
  readonly image: ImageReference
  readonly adminUsername: string
  readonly adminPassword: string
  /** Tags of every resource that is created for the machine, in addition to the portal's own. */
  readonly tags: Readonly<Record<string, string>>
}

export interface MachineAccount extends CloudMachineRef {
  readonly id: string
  readonly place: Place
  readonly os: 'Windows' | 'Linux'
  readonly username: string
  readonly password: string
  /** Number of this password, which distinguishes it from passwords that were set before. */
  readonly passwordNumber: number
  readonly tags: Readonly<Record<string, string>>
}

export interface ImageSpec extends CloudMachineRef {
  readonly id: string
  readonly place: Place
  readonly os: 'Windows' | 'Linux'
  readonly tags: Readonly<Record<string, string>>
}

export type Capture = { readonly id: string } & (
  | { readonly state: 'working'; readonly progress: number }
  | { readonly state: 'ready' }
  | { readonly state: 'failed'; readonly reason: string }
)

export interface Offers {
  readonly sizes: readonly OfferedSize[]
  /**
   * Numbers used and allowed: cores of each family and in total ('cores'), and public addresses (`PUBLIC_ADDRESSES`).
   */
  readonly limits: readonly { readonly family: string; readonly used: number; readonly allowed: number }[]
}

export interface OfferedSize {
  readonly size: string
  readonly family: string
  readonly cores: number
  readonly memoryMb: number | null
  readonly withheld: string | null
}

/** Value of `family` for the limit of public addresses in `Offers.limits`. */
export const PUBLIC_ADDRESSES = 'public addresses'

/** Acceptance of a request. `at` is the instant by the provider's clock (whole seconds), which bills use. */
export interface Accepted {
  readonly at: Date
  readonly address?: string
  /** True if the provider has also finished the request, so that the machine can be read at once. */
  readonly isFinished?: boolean
}

export interface MachineDeletion {
  readonly at: Date
  /** `parts`: the machine is deleted, but a resource that was created with it still exists. */
  readonly remaining: 'nothing' | 'parts' | 'machine'
}

export interface Deletion {
  readonly at: Date
  readonly remaining: 'nothing' | 'something'
}

/**
 * - `halted`: shut down from inside, still billed.
 * - `failed`: creation failed, or the power state is unknown and the last operation failed.
 * - `since`: end of the last operation by the provider's clock; null if unknown or unrelated to the state.
 */
export type CloudMachineState =
  | { readonly state: 'absent' }
  | { readonly state: 'running' | 'stopped' | 'halted'; readonly since: Date | null; readonly failure?: string }
  | { readonly state: 'changing'; readonly toward: 'running' | 'stopped' | 'absent' | 'unknown' }
  | { readonly state: 'failed'; readonly reason: string; readonly since: Date | null }

export interface MachineReading {
  readonly at: Date
  readonly seen: CloudMachineState
  /** Null if the machine has no address, or this read did not include addresses. */
  readonly address: string | null
}

export interface ListedMachine extends CloudMachineRef {
  readonly at: Date
  /** Power state; null if the machine exists but the list does not contain its state. */
  readonly seen: CloudMachineState | null
}

export interface TaggedMachine extends CloudMachineRef {
  /** ID in the tag; null if the value is not an ID of the portal. */
  readonly id: string | null
}

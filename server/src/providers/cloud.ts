/**
 * The calls that the portal makes on a cloud of machines. One adapter per provider implements this port, and the domain
 * depends on the port only. Every call is idempotent: repeated with the same input, it finds what it created before.
 */
export interface Cloud {
  /**
   * Creates the machine and its dependencies (group, network, security group, address, network interface, disk), or
   * finds them. Resolves once the provider has accepted the request for the machine, before it runs.
   */
  createMachine(spec: MachineSpec, signal: AbortSignal): Promise<Accepted>
  /** Starts a stopped machine; resolves once accepted. A running machine is not an error. */
  startMachine(at: CloudMachineRef, signal: AbortSignal): Promise<Accepted>
  /** Stops a machine so that its compute is no longer billed (deallocation, not shutdown). */
  stopMachine(at: CloudMachineRef, signal: AbortSignal): Promise<Accepted>
  restartMachine(at: CloudMachineRef, signal: AbortSignal): Promise<Accepted>
  /**
   * Performs the next step of deleting a machine and the resources created with it (network interface, address, disk),
   * and returns what remains. Call again until nothing remains.
   */
  deleteMachine(machine: MachineToDelete, signal: AbortSignal): Promise<MachineDeletion>
  /**
   * Sets the account's password inside a running machine. Call again until it returns `set`; a change in progress is
   * found and not started twice.
   */
  setPassword(account: MachineAccount, signal: AbortSignal): Promise<'set' | 'working'>
  /**
   * Performs the next step of creating an image of a stopped machine, and returns its state. The machine is unchanged.
   * Call again until `ready` or `failed`; the image's provider id is the same from the first step on.
   */
  captureMachine(image: ImageSpec, signal: AbortSignal): Promise<Capture>
  /** Performs the next step of deleting what a capture created. Call again until nothing remains. */
  deleteImage(image: ImageSpec, signal: AbortSignal): Promise<Deletion>
  /** Returns one machine's detailed state with its public address; `absent` if no machine of that name exists. */
  getMachine(at: CloudMachineRef, signal: AbortSignal): Promise<MachineReading>
  /**
   * Performs the next step towards the desired open ports of a security group: adds missing rules, deletes surplus
   * ones, and leaves the remote-access rule and rules written by others unchanged. Call again until it returns `held`.
   * Returns `absent` if the group does not exist (yet).
   */
  updatePorts(
    at: SecurityGroupRef,
    ports: readonly OpenPort[],
    signal: AbortSignal,
  ): Promise<'held' | 'changed' | 'absent'>
  /** Deletes a security group that no machine uses. Call again until nothing remains. */
  deleteSecurityGroup(at: SecurityGroupRef, signal: AbortSignal): Promise<Deletion>
  /** Returns the sizes and limits that a location has now. */
  getOffers(location: string, signal: AbortSignal): Promise<Offers>
  /** Returns true if the terms of a marketplace plan were accepted for our subscription. */
  hasAcceptedTerms(plan: Plan, signal: AbortSignal): Promise<boolean>
  /** Lists the state of every machine, ours or not, in as few calls as the provider allows. */
  listMachines(signal: AbortSignal): AsyncIterable<ListedMachine>
  /** Lists every machine with our tag, without its state, in as few calls as the provider allows. */
  listTaggedMachines(signal: AbortSignal): AsyncIterable<TaggedMachine>
}

/** Identifies a machine, and everything created with it, at the provider. */
export interface CloudMachineRef {
  readonly resourceGroup: string
  readonly name: string
}

export interface MachineToDelete extends CloudMachineRef {
  /** When the machine was first observed, by the provider's clock. Null: never observed. */
  readonly firstSeenAt: Date | null
  /** True if the last observation found the machine and no deletion was requested since; it need not be read first. */
  readonly isKnownToExist: boolean
  /**
   * If set, deletes only resources whose tag has this id, and refuses a machine with another id. Omitted for machines
   * that have a row.
   */
  readonly onlyTagged?: string
}

/** A training's security group in one resource group. */
export interface SecurityGroupRef {
  readonly resourceGroup: string
  readonly name: string
}

/** A port that is open to the internet. If the priority is taken at the provider, another one is used. */
export interface OpenPort {
  readonly port: number
  readonly priority: number
}

export interface MachineSpec extends CloudMachineRef {
  /** Our id, the value of the tag `trainyard-machine`. */
  readonly id: string
  readonly organisation: string
  readonly training: string
  /** Name of the training's security group in this resource group; created if missing. */
  readonly securityGroup: string
  readonly location: string
  readonly network: string
  readonly size: string
  readonly os: 'Windows' | 'Linux'
  readonly licence: 'Windows_Server' | 'none'
  readonly image: MachineImage
  readonly adminUsername: string
  readonly adminPassword: string
}

export interface MachineAccount extends CloudMachineRef {
  readonly id: string
  readonly location: string
  readonly os: 'Windows' | 'Linux'
  readonly username: string
  readonly password: string
  /** Number of this password. An earlier password that was set does not count as this one. */
  readonly passwordNumber: number
}

export interface ImageSpec extends CloudMachineRef {
  /** Our id of the image. All its names at the provider derive from it. */
  readonly id: string
  readonly location: string
  readonly os: 'Windows' | 'Linux'
}

export type Capture = { readonly id: string } & (
  | { readonly state: 'working'; readonly progress: number }
  | { readonly state: 'ready' }
  /** The image will not become ready; `reason` is in the provider's words. */
  | { readonly state: 'failed'; readonly reason: string }
)

export type MachineImage =
  /** `publisher:offer:sku:version` of a platform image. */
  | {
      readonly kind: 'platform'
      readonly publisher: string
      readonly offer: string
      readonly sku: string
      readonly version: string
    }
  /** A marketplace image with its plan; its terms must be accepted for the subscription. */
  | {
      readonly kind: 'marketplace'
      readonly publisher: string
      readonly offer: string
      readonly sku: string
      readonly version: string
      readonly plan: Plan
    }
  /** Resource id of our own gallery image version or managed image. */
  | { readonly kind: 'own'; readonly id: string }

/** A marketplace plan; `name` is the image's SKU. */
export interface Plan {
  readonly publisher: string
  readonly product: string
  readonly name: string
}

export interface Offers {
  readonly sizes: readonly OfferedSize[]
  /** Cores used and allowed, for each family and in total ('cores'). */
  readonly limits: readonly { readonly family: string; readonly used: number; readonly allowed: number }[]
}

export interface OfferedSize {
  readonly size: string
  readonly family: string
  readonly cores: number
  /** Reason why the size is not available; null: available. */
  readonly withheld: string | null
}

/** The provider accepted the request. `at` is the instant by the provider's clock (whole seconds), which bills use. */
export interface Accepted {
  readonly at: Date
  /** The machine's public address, if the request returned it. */
  readonly publicAddress?: string
}

export interface MachineDeletion {
  readonly at: Date
  /** `parts`: the machine is deleted, but a resource created with it still exists. */
  readonly remaining: 'nothing' | 'parts' | 'machine'
}

export interface Deletion {
  readonly at: Date
  readonly remaining: 'nothing' | 'something'
}

/**
 * A machine's state as the provider reports it.
 * - `stopped`: not running and not billed. `halted`: shut down from inside, still billed.
 * - `changing`: in transition (creating, starting, stopping, deleting); `toward` is the target if the provider reports
 * it.
 * - `failed`: creation failed, or the power state is unknown and the last operation failed.
 *
 * `since`: when the last operation ended, by the provider's clock; null if the provider does not say, or the operation
 * does not determine the state. `failure`: the provider's error of that operation; omitted if it succeeded.
 */
export type CloudMachineState =
  | { readonly state: 'absent' }
  | { readonly state: 'running' | 'stopped' | 'halted'; readonly since: Date | null; readonly failure?: string }
  | { readonly state: 'changing'; readonly toward: 'running' | 'stopped' | 'absent' | 'unknown' }
  | { readonly state: 'failed'; readonly reason: string; readonly since: Date | null }

export interface MachineReading {
  /** The provider's clock at its response (whole seconds). */
  readonly at: Date
  readonly seen: CloudMachineState
  /** Null: the machine has none, or this read did not include addresses. */
  readonly publicAddress: string | null
}

export interface ListedMachine extends CloudMachineRef {
  readonly at: Date
  /** Null: the machine exists, and the list does not contain its state. */
  readonly seen: CloudMachineState | null
}

export interface TaggedMachine extends CloudMachineRef {
  /** The id in the tag; null if the value is not an id of ours. */
  readonly id: string | null
}

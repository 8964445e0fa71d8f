/**
 * The calls that the portal makes on a cloud of machines. One adapter per provider implements it; the domain knows
 * only this page. Every call may be made again with the same input and then finds what it made before.
 */
export interface Cloud {
  /**
   * Makes the machine and all it needs (group, network, security group, address, network interface, disk), or finds them.
   * Answers once the provider has accepted the machine itself, not when it runs.
   */
  createMachine(spec: MachineSpec, signal: AbortSignal): Promise<Accepted>
  /** Starts a stopped machine; answers once accepted. A machine that runs already is no error. */
  startMachine(at: MachinePlace, signal: AbortSignal): Promise<Accepted>
  /** Stops a machine so that its compute is no longer billed (a deallocation, not a shutdown). */
  stopMachine(at: MachinePlace, signal: AbortSignal): Promise<Accepted>
  restartMachine(at: MachinePlace, signal: AbortSignal): Promise<Accepted>
  /**
   * Deletes one step further of what the machine and its order brought (machine, network interface, address, disk) and says
   * whether any of it still stands. Called again until nothing does.
   */
  deleteMachine(machine: MachineToDelete, signal: AbortSignal): Promise<MachineDeletion>
  /**
   * Sets the account's password inside a running machine. Asked again until it is `set`; what is under way already
   * is found, and not asked for twice.
   */
  setPassword(account: MachineAccount, signal: AbortSignal): Promise<'set' | 'working'>
  /**
   * Goes one step further with an image of a stopped machine and says how it stands. The machine stays as it is.
   * Asked again until it is `ready` or `failed`; the provider's id of the image is the same from the first step on.
   */
  captureMachine(image: ImageSpec, signal: AbortSignal): Promise<Capture>
  /** Deletes one step further of what a capture brought; called again until nothing of it stands. */
  discardImage(image: ImageSpec, signal: AbortSignal): Promise<Deletion>
  /** One machine, looked at closely, with its public address; absent when the provider has none by that name. */
  lookAtMachine(at: MachinePlace, signal: AbortSignal): Promise<Sighting>
  /**
   * Takes a security group's rules a step nearer to the ports wanted: opens what is missing, closes what is too much;
   * the rule that lets people in, and rules that others wrote, stay. Called again until they are `held`. `absent`: no
   * such group (yet).
   */
  holdPorts(
    at: SecurityGroupPlace,
    ports: readonly OpenPort[],
    signal: AbortSignal,
  ): Promise<'held' | 'changed' | 'absent'>
  /** Deletes a security group around which no machine stands any more. Called again until nothing remains. */
  deleteSecurityGroup(at: SecurityGroupPlace, signal: AbortSignal): Promise<Deletion>
  /** Returns the sizes and limits at a location just now. */
  offersAt(location: string, signal: AbortSignal): Promise<Offers>
  /** Returns true when the terms of a marketplace plan were accepted for us. */
  termsAccepted(plan: Plan, signal: AbortSignal): Promise<boolean>
  /** How every machine stands, ours or not, in as few calls as the provider allows. They are known by their place. */
  lookAtAllMachines(signal: AbortSignal): AsyncIterable<PlacedSighting>
  /** Every machine that carries our tag, in as few calls as the provider allows; not how they stand. */
  taggedMachines(signal: AbortSignal): AsyncIterable<TaggedMachine>
}

/** Where a machine stands: enough to name it and everything it brought, at the provider. */
export interface MachinePlace {
  readonly resourceGroup: string
  readonly name: string
}

export interface MachineToDelete extends MachinePlace {
  /** When it was first seen to stand, by the provider's clock: what it brought stands since before. Null: never seen. */
  readonly firstSeenAt: Date | null
  /** It was last seen to stand, and was not asked to go: it need not be looked at first. */
  readonly stands: boolean
  /** Deletes only what carries this id in our tag, and refuses a machine with another; left out: a row of ours says it. */
  readonly onlyTagged?: string
}

/** A training's security group in one resource group. */
export interface SecurityGroupPlace {
  readonly resourceGroup: string
  readonly name: string
}

/** A port that is open to everybody. Its priority is a wish: one that is taken at the provider is not fought over. */
export interface OpenPort {
  readonly port: number
  readonly priority: number
}

export interface MachineSpec extends MachinePlace {
  /** Our id: written into the tag `trainyard-machine`. */
  readonly id: string
  readonly organisation: string
  readonly training: string
  /** Name of the training's security group in this resource group; made when missing. */
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

/** The account whose password is set, and its machine. */
export interface MachineAccount extends MachinePlace {
  /** Our id of the machine. */
  readonly id: string
  readonly location: string
  readonly os: 'Windows' | 'Linux'
  readonly username: string
  readonly password: string
  /** Tells this password from those that the account had before: what was set of another is not this one. */
  readonly passwordNumber: number
}

/** An image to be made of the machine at that place. */
export interface ImageSpec extends MachinePlace {
  /** Our id of the image: all its names at the provider follow from it. */
  readonly id: string
  readonly location: string
  readonly os: 'Windows' | 'Linux'
}

export type Capture = { readonly id: string } & (
  | { readonly state: 'working'; /** Percent. */ readonly progress: number }
  | { readonly state: 'ready' }
  /** It will not become one; `reason` in the provider's words. */
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
  /** A resource id of our own: a gallery image version or a managed image. */
  | { readonly kind: 'own'; readonly id: string }

/** A marketplace plan; `name` is the image's sku. */
export interface Plan {
  readonly publisher: string
  readonly product: string
  readonly name: string
}

export interface Offers {
  readonly sizes: readonly OfferedSize[]
  /** How many cores are used and allowed, of each family and of all together ('cores'). */
  readonly limits: readonly { readonly family: string; readonly used: number; readonly allowed: number }[]
}

export interface OfferedSize {
  readonly size: string
  readonly family: string
  readonly cores: number
  /** Why it can't be had there; null: it can. */
  readonly withheld: string | null
}

/** The provider took the request. `at` is the instant by the provider's own clock (whole seconds): bills follow it. */
export interface Accepted {
  readonly at: Date
  /** The machine's public address, where the request brought it to light. */
  readonly publicAddress?: string
}

export interface MachineDeletion {
  readonly at: Date
  /** `parts`: the machine itself is gone, and something that it brought still stands. */
  readonly remaining: 'nothing' | 'parts' | 'machine'
}

export interface Deletion {
  readonly at: Date
  readonly remaining: 'nothing' | 'something'
}

/**
 * A machine's state as the provider tells it.
 * - `stopped`: not running and not billed. `halted`: shut down from inside, still billed.
 * - `changing`: on its way (creating, starting, stopping, deleting); `toward` where the provider says so.
 * - `failed`: it was never made, or does not say whether it runs; the last operation ended in failure.
 *
 * `since`: when the last operation on it ended, by the provider's clock; null where it does not say, or nothing about
 * the state follows from it. `failure`: that operation failed, in the provider's words; left out: it went well.
 */
export type Seen =
  | { readonly state: 'absent' }
  | { readonly state: 'running' | 'stopped' | 'halted'; readonly since: Date | null; readonly failure?: string }
  | { readonly state: 'changing'; readonly toward: 'running' | 'stopped' | 'absent' | 'unknown' }
  | { readonly state: 'failed'; readonly reason: string; readonly since: Date | null }

export interface Sighting {
  /** The provider's clock when it answered (whole seconds). */
  readonly at: Date
  readonly seen: Seen
  /** null: none, or this look did not ask. */
  readonly publicAddress: string | null
}

/** One of a list of all. */
export interface PlacedSighting extends MachinePlace {
  readonly at: Date
  /** null: it is there, and the list does not say how it stands. */
  readonly seen: Seen | null
}

/** A machine that carries our tag. */
export interface TaggedMachine extends MachinePlace {
  /** The id in the tag; null when it holds something that is no id of ours. */
  readonly id: string | null
}

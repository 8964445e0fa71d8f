import { CloudError } from './errors.ts'

/**
 * The calls that the portal makes on a cloud whose sandboxes are resource groups. One adapter per provider implements
 * this port. Every call is idempotent: repeated with the same input, it finds the earlier result. Failures are
 * `CloudError`s.
 */
export interface SandboxGroups {
  /** Returns whether the group exists and carries this sandbox's tag. */
  getGroup(sandbox: SandboxRef, signal: AbortSignal): Promise<GroupState>
  /** Creates the group with its tags, or finds it. Must not be called if a group without our tag exists. */
  createGroup(sandbox: SandboxSpec, signal: AbortSignal): Promise<void>
  /** Restricts machines in the group to these sizes. */
  limitSizes(sandbox: SandboxRef, sizes: readonly string[], signal: AbortSignal): Promise<void>
  /**
   * Sets the group's role assignments to exactly this access: the user's with `full` or `read`, none with `none`.
   * Surplus assignments are deleted first. With `none`, a missing group is not an error.
   * @throws UserNotReplicated
   */
  setAccess(sandbox: SandboxRef, access: Access, signal: AbortSignal): Promise<void>
  /** Returns the resources in the group; null if the group does not exist. */
  listResources(sandbox: SandboxRef, signal: AbortSignal): Promise<readonly SandboxResource[] | null>
  /** Stops a machine so that its compute is no longer billed; resolves once accepted. */
  stopMachine(sandbox: SandboxRef, machine: string, signal: AbortSignal): Promise<void>
  /** Deletes the group and everything in it; resolves once accepted. A missing group is not an error. */
  deleteGroup(sandbox: SandboxRef, signal: AbortSignal): Promise<void>
}

/** The role service does not know the user yet: the directory replicates new users with a delay of minutes. */
export class UserNotReplicated extends CloudError {}

export interface SandboxRef {
  /** Our id, the value of the group's tag. */
  readonly id: string
  readonly group: string
}

export interface SandboxSpec extends SandboxRef {
  readonly location: string
  readonly user: string
  readonly endsAt: Date
}

export type Access = { readonly level: 'none' } | { readonly level: 'read' | 'full'; readonly objectId: string }

/** `ours`: the group carries this sandbox's tag. */
export type GroupState =
  | { readonly state: 'absent' }
  | { readonly state: 'existing' | 'deleting'; readonly ours: boolean }

/** A resource in a group. `since`: its creation time; null: unknown. */
export type SandboxResource =
  | {
      readonly kind: 'machine'
      readonly name: string
      readonly size: string
      /** True while its compute is billed; null: unknown. */
      readonly billed: boolean | null
      readonly since: Date | null
    }
  | {
      readonly kind: 'disk'
      readonly name: string
      readonly sku: string
      readonly sizeGb: number | null
      readonly since: Date | null
    }
  | { readonly kind: 'address'; readonly name: string; readonly since: Date | null }
  /** A resource of any other type; many of these are free. */
  | { readonly kind: 'other'; readonly name: string; readonly type: string; readonly since: Date | null }

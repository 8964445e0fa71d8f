import { CloudError } from './errors.ts'

/**
 * The calls that the portal makes on a cloud whose sandboxes are resource groups. One adapter per provider implements
 * it. Every call may be made again with the same input and then finds what it did before. Failures are `CloudError`s.
 */
export interface SandboxGroups {
  /** One look: whether the group is there, and whether it carries this sandbox's mark. */
  lookAtGroup(sandbox: SandboxPlace, signal: AbortSignal): Promise<GroupSighting>
  /** Makes the group with its tags, or finds it. Not to be called where somebody else's of that name stands. */
  makeGroup(sandbox: SandboxSpec, signal: AbortSignal): Promise<void>
  /** Machines in the group may have these sizes alone. */
  limitSizes(sandbox: SandboxPlace, sizes: readonly string[], signal: AbortSignal): Promise<void>
  /**
   * Sees to it that the group's own assignments are just this: the user's with `full` or `read`, nobody's with
   * `none`. What is too much goes first. With `none` a group that is gone is no error.
   * @throws UserNotKnownYet
   */
  setAccess(sandbox: SandboxPlace, access: Access, signal: AbortSignal): Promise<void>
  /** Returns the resources in the group; null when there is no such group. */
  lookInside(sandbox: SandboxPlace, signal: AbortSignal): Promise<readonly SandboxResource[] | null>
  /** Stops a machine so that its compute is no longer billed; answers once accepted. */
  stopMachine(sandbox: SandboxPlace, machine: string, signal: AbortSignal): Promise<void>
  /** Deletes the group with all that is in it; answers once accepted. One that is gone is no error. */
  deleteGroup(sandbox: SandboxPlace, signal: AbortSignal): Promise<void>
}

/** Where roles are given the user is not known yet: the directory takes minutes to tell of a new one. */
export class UserNotKnownYet extends CloudError {}

export interface SandboxPlace {
  /** Our id, the mark in the group's tags. */
  readonly id: string
  readonly group: string
}

export interface SandboxSpec extends SandboxPlace {
  readonly location: string
  /** The sign-in name of its user. */
  readonly user: string
  readonly endsAt: Date
}

export type Access = { readonly level: 'none' } | { readonly level: 'read' | 'full'; readonly objectId: string }

/** `ours`: it carries this sandbox's mark. */
export type GroupSighting =
  | { readonly state: 'absent' }
  | { readonly state: 'existing' | 'deleting'; readonly ours: boolean }

/** Something in a group, since `since` (null: not known). */
export type SandboxResource =
  | {
      readonly kind: 'machine'
      readonly name: string
      readonly size: string
      /** True while its compute is billed; null: the provider does not say. */
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
  /** Of any other type; many of them cost nothing. */
  | { readonly kind: 'other'; readonly name: string; readonly type: string; readonly since: Date | null }

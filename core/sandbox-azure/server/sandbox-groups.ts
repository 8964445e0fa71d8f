import { CloudError } from '@trainyard/platform/server/providers/errors.ts'

/** Port to resource groups of sandboxes. Every call is idempotent. Failures are `CloudError`s. */
export interface SandboxGroups {
  getGroup(sandbox: SandboxRef, signal: AbortSignal): Promise<GroupState>
  /** Creates the group with its tags, or finds it. Must not be called if a group without the portal's tag exists. */
  createGroup(sandbox: SandboxSpec, signal: AbortSignal): Promise<void>
  limitSizes(sandbox: SandboxRef, sizes: readonly string[], signal: AbortSignal): Promise<void>
  /**
   * Sets the assignments, deleting surplus ones first. With `none`, a missing group is not an error.
   * @throws UserNotReplicated
   */
  setAccess(sandbox: SandboxRef, access: Access, signal: AbortSignal): Promise<void>
  listResources(sandbox: SandboxRef, signal: AbortSignal): Promise<readonly SandboxResource[] | null>
  stopMachine(sandbox: SandboxRef, machine: string, signal: AbortSignal): Promise<void>
  /**
   * Deletes the group with all its resources. Resolves when the provider has accepted the request. A missing group is
   * not an error.
   */
  deleteGroup(sandbox: SandboxRef, signal: AbortSignal): Promise<void>
}

/** The role service does not know the user yet, because the directory replicates new users with a delay of minutes. */
export class UserNotReplicated extends CloudError {}

export interface SandboxRef {
  readonly id: string
  readonly group: string
}

export interface SandboxSpec extends SandboxRef {
  readonly location: string
  readonly user: string
  readonly endsAt: Date
}

export type Access = { readonly level: 'none' } | { readonly level: 'read' | 'full'; readonly objectId: string }

export type GroupState =
  | { readonly state: 'absent' }
  | { readonly state: 'existing' | 'deleting'; readonly ours: boolean }

/** A resource in a group. `since` is its creation time; null: unknown. */
export type SandboxResource =
  | {
      readonly kind: 'machine'
      readonly name: string
      readonly size: string
      /** True while the provider bills the resource for compute; null: unknown. */
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
  | { readonly kind: 'other'; readonly name: string; readonly type: string; readonly since: Date | null }

import type { MachineImage } from './cloud.ts'

/** Read-only queries that check whether machines and sandboxes can be created. Throws only `CloudError`. */
export interface CloudDiagnosis {
  /** Returns the configured subscription as the portal's credentials see it. */
  subscription(signal: AbortSignal): Promise<CloudSubscription>
  /**
   * Returns the permissions of the portal's roles at the subscription (`group` null) or at a resource group, inherited
   * ones included. Null if the group does not exist.
   */
  permissions(group: string | null, signal: AbortSignal): Promise<readonly Permission[] | null>
  /** Returns a resource provider's state, such as `Registered` or `NotRegistered`; null if unknown. */
  registration(namespace: string, signal: AbortSignal): Promise<string | null>
  /** Returns null if the group does not exist. The first machine's order creates it. */
  group(name: string, signal: AbortSignal): Promise<{ readonly location: string } | null>
  network(
    group: string,
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly location: string; readonly subnets: number } | null>
  hasImage(image: MachineImage, location: string, signal: AbortSignal): Promise<boolean>
}

interface CloudSubscription {
  readonly name: string
  readonly tenantId: string
  /** `Enabled` if machines can be created in it. */
  readonly state: string
  /** The provider's clock (whole seconds). */
  readonly at: Date
}

/** The actions that a role grants, minus `notActions`; `*` matches any run of characters. */
export interface Permission {
  readonly actions: readonly string[]
  readonly notActions: readonly string[]
}

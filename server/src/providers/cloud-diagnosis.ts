import type { MachineImage } from './cloud.ts'

/**
 * Questions to a cloud whose answers tell beforehand if machines and sandboxes can stand there. Nothing is changed by
 * any of them. They throw `CloudError` alone.
 */
export interface CloudDiagnosis {
  /** The subscription that the settings name, as the portal's credentials see it. */
  subscription(signal: AbortSignal): Promise<CloudSubscription>
  /**
   * Returns the permissions of the portal's roles: at the subscription (`group` null), or at a resource group with
   * what it inherits. null: there is no such group.
   */
  permissions(group: string | null, signal: AbortSignal): Promise<readonly Permission[] | null>
  /** How a provider stands: `Registered`, `NotRegistered`, `Registering` and the like; null: there is none so called. */
  registration(namespace: string, signal: AbortSignal): Promise<string | null>
  /** null: there is none; the first machine's order makes it. */
  group(name: string, signal: AbortSignal): Promise<{ readonly location: string } | null>
  network(
    group: string,
    name: string,
    signal: AbortSignal,
  ): Promise<{ readonly location: string; readonly subnets: number } | null>
  /** Returns true when machines can be made of an image at a location. */
  hasImage(image: MachineImage, location: string, signal: AbortSignal): Promise<boolean>
}

export interface CloudSubscription {
  readonly name: string
  readonly tenantId: string
  /** `Enabled` when machines can be made in it. */
  readonly state: string
  /** The provider's clock (whole seconds). */
  readonly at: Date
}

/** Actions that a role gives, less those that it does not; `*` stands for any run of characters. */
export interface Permission {
  readonly actions: readonly string[]
  readonly notActions: readonly string[]
}

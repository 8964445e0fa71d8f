import type { AzureImage, AzureMachineSpec } from './azure-spec.ts'

/** Read-only queries that check whether machines and sandboxes can be created. Throws only `CloudError`. */
export interface CloudDiagnosis {
  subscription(signal: AbortSignal): Promise<CloudSubscription>
  /**
   * Returns the permissions in a group, including inherited ones; null if the group does not exist. `group` null:
   * permissions at the subscription.
   */
  permissions(group: string | null, signal: AbortSignal): Promise<readonly Permission[] | null>
  /**
   * Lists the permissions at a resource, also in another subscription, including inherited ones.
   * @returns null if the resource does not exist
   */
  permissionsAt(resourceId: string, signal: AbortSignal): Promise<readonly Permission[] | null>
  registration(namespace: string, signal: AbortSignal): Promise<string | null>
  /** Returns null if the group does not exist. The order of the first machine creates it. */
  group(name: string, signal: AbortSignal): Promise<{ readonly location: string } | null>
  /**
   * Finds a network by name in the group, or by resource ID in any group.
   * @returns its region, and the number of subnets in which machines can be created
   */
  network(
    group: string,
    nameOrId: string,
    signal: AbortSignal,
  ): Promise<{ readonly location: string; readonly subnets: number } | null>
  /**
   * Finds user-defined routes that send replies to clients on the internet another way than their requests came. Such
   * connections fail.
   * @param network by name in the group, or by resource ID
   * @param clients IPv4 prefixes
   * @returns the routes of the subnet in which machines are created; none if the network does not exist
   */
  asymmetricRoutes(
    group: string,
    network: string,
    clients: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly AsymmetricRoute[]>
  hasImage(image: AzureImage, location: string, signal: AbortSignal): Promise<boolean>
  /** Returns the resources of a machine that the subscription's policies would deny, without creating anything. */
  deniedByPolicy(spec: AzureMachineSpec, groupExists: boolean, signal: AbortSignal): Promise<readonly PolicyDenial[]>
  /** Public addresses used and allowed in a location; null if the provider states no limit. */
  publicAddresses(
    location: string,
    signal: AbortSignal,
  ): Promise<{ readonly used: number; readonly allowed: number } | null>
}

interface AsymmetricRoute {
  readonly subnet: string
  readonly routeTable: string
  readonly route: string
  /** Type and address of the next hop, such as `VirtualAppliance 10.0.9.4`. */
  readonly nextHop: string
  /** Prefix of the clients whose replies take this route. */
  readonly client: string
}

export interface PolicyDenial {
  /** Kind of the resource in the plural, such as `network interfaces`. */
  readonly kind: string
  readonly policy: string
  /** Properties that the policy evaluated, such as `tags[CostCentre]`. */
  readonly fields: readonly string[]
}

interface CloudSubscription {
  readonly name: string
  readonly tenantId: string
  readonly state: string
  readonly at: Date
}

export interface Permission {
  readonly actions: readonly string[]
  readonly notActions: readonly string[]
}

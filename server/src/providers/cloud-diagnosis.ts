import type { MachineImage } from './cloud.ts'

/** Read-only queries that check whether machines and sandboxes can be created. Throws only `CloudError`. */
export interface CloudDiagnosis {
  subscription(signal: AbortSignal): Promise<CloudSubscription>
  /** Null if the group does not exist. Includes inherited permissions; `group` null: at the subscription. */
  permissions(group: string | null, signal: AbortSignal): Promise<readonly Permission[] | null>
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
  readonly state: string
  readonly at: Date
}

export interface Permission {
  readonly actions: readonly string[]
  readonly notActions: readonly string[]
}

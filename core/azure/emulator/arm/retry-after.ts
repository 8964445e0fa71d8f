/** Retry-After of the first reply to a write in seconds, as recorded. Other operations send none. */
const recorded: Readonly<Record<string, number>> = {
  VirtualMachines_CreateOrUpdate: 10,
  VirtualMachines_Start: 10,
  VirtualMachines_PowerOff: 10,
  VirtualMachines_Deallocate: 10,
  VirtualMachines_Restart: 10,
  VirtualMachines_Delete: 10,
  NetworkInterfaces_Delete: 4,
  NetworkSecurityGroups_CreateOrUpdate: 1,
  NetworkSecurityGroups_Delete: 1,
  SecurityRules_CreateOrUpdate: 1,
  SecurityRules_Delete: 10,
  PublicIPAddresses_CreateOrUpdate: 1,
  PublicIPAddresses_Delete: 10,
  VirtualNetworks_CreateOrUpdate: 3,
  VirtualNetworks_Delete: 10,
  Subnets_CreateOrUpdate: 3,
  Subnets_Delete: 10,
  ResourceGroups_Delete: 15,
}

export function retryAfter(operation: string): number | undefined {
  return recorded[operation]
}

/** A poll of a machine's creation or deletion returns roughly the remaining time, at most 35 s. */
export function retryAfterPoll(operation: string, secondsLeft: number): number | undefined {
  if (!operation.startsWith('VirtualMachines_')) return undefined
  return Math.min(35, Math.max(1, Math.ceil(secondsLeft)))
}

/** How calls name a machine: with the container of its place, which spec.md calls a resource group. */
export interface MachineRef {
  readonly name: string
  readonly resourceGroup: string
}

export const machineRef = (name: string, group: string): MachineRef => ({ name, resourceGroup: group })

/** Returns only the name of a machine, for the body of a call. */
export const refOf = ({ name, resourceGroup }: MachineRef): MachineRef => ({ name, resourceGroup })

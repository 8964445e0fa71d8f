/** All calls by group. Each module adds the groups that it declares. */
// oxlint-disable-next-line typescript/no-empty-interface, typescript/no-empty-object-type -- joined by the modules
export interface Contract {}

let connected: Contract | null = null
let actions: Readonly<Record<string, string>> = {}

/**
 * Connects the calls of this process, before a server or the audit log reads them.
 * @param audited texts of actions that are no calls
 */
export function connectContract(contract: Contract, audited: Readonly<Record<string, string>>): void {
  connected = contract
  actions = audited
}

export const connectedActions = (): Readonly<Record<string, string>> => actions

/** Throws if no calls are connected, because the process would serve none unnoticed. */
export function connectedContract(): Contract {
  if (connected === null) throw new Error('The calls are not connected.')
  return connected
}

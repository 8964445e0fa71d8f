import type { Call } from './call.ts'
import { connectedActions, connectedContract, type Contract } from './contract.ts'

/**
 * Returns the texts that follow the name of the user or the portal in the audit log, by call or action.
 * @param actions texts of actions that are no calls
 * @public read by the build of the web app
 */
export const auditLabelsOf = (
  contract: Contract,
  actions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(contract).flatMap(([module, calls]) =>
      Object.entries(calls as Record<string, Call>).flatMap(([name, { audit }]) =>
        audit === undefined ? [] : [[`${module}.${name}`, audit] as const],
      ),
    ),
  ),
  ...actions,
})

let labels: Readonly<Record<string, string>> | null = null

export function auditLabel(call: string): string {
  labels ??= auditLabelsOf(connectedContract(), connectedActions())
  return labels[call] ?? call
}

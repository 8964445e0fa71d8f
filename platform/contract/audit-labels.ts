import type { Call } from './call.ts'
import { connectedContract, type Contract } from './contract.ts'
import { PORTAL_ACTIONS } from './audit.ts'

/** Returns the texts that follow the name of the user or the portal in the audit log, by call or action. */
export const auditLabelsOf = (contract: Contract): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(
    Object.entries(contract).flatMap(([module, calls]) =>
      Object.entries(calls as Record<string, Call>).flatMap(([name, { audit }]) =>
        audit === undefined ? [] : [[`${module}.${name}`, audit] as const],
      ),
    ),
  ),
  ...PORTAL_ACTIONS,
})

let labels: Readonly<Record<string, string>> | null = null

export function auditLabel(call: string): string {
  labels ??= auditLabelsOf(connectedContract())
  return labels[call] ?? call
}

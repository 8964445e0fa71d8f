import type { Call } from './call.ts'
import { contract } from './contract.ts'
import { PORTAL_ACTIONS } from './words/audit.ts'

/** Texts that follow the name of the user or the portal in the audit log, by call or action. */
export const auditLabels: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    Object.entries(contract).flatMap(([module, calls]) =>
      Object.entries(calls as Record<string, Call>).flatMap(([name, { audit }]) =>
        audit === undefined ? [] : [[`${module}.${name}`, audit] as const],
      ),
    ),
  ),
  ...PORTAL_ACTIONS,
}

export const auditLabel = (call: string): string => auditLabels[call] ?? call

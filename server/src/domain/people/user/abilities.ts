import type { Call } from '@trainyard/contract/call.ts'
import { contract } from '@trainyard/contract/contract.ts'
import type { Role } from '@trainyard/contract/words/role.ts'

/** Returns the names (`module.call`) of the calls that a role can make, except calls signed by a provider. */
export const abilitiesOf = (role: Role): string[] =>
  Object.entries(contract).flatMap(([module, calls]) =>
    Object.entries(calls as Record<string, Call>)
      .filter(([, { roles, signed }]) => signed !== true && (!Array.isArray(roles) || roles.includes(role)))
      .map(([name]) => `${module}.${name}`),
  )

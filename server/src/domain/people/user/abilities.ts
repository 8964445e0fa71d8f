import type { Call } from '@trainyard/contract/call.ts'
import { contract } from '@trainyard/contract/contract.ts'
import type { Role } from '@trainyard/contract/words/role.ts'

/** The names, `module.call`, of the contract's calls that somebody of a role may make; those that a provider signs are nobody's. */
export const abilitiesOf = (role: Role): string[] =>
  Object.entries(contract).flatMap(([module, calls]) =>
    Object.entries(calls as Record<string, Call>)
      .filter(([, { roles, signed }]) => signed !== true && (!Array.isArray(roles) || roles.includes(role)))
      .map(([name]) => `${module}.${name}`),
  )

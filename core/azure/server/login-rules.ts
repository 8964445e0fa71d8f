import type { SecurityRule } from '@azure/arm-network'
import type { AzureMachineSpec } from './azure-spec.ts'

/**
 * Names of the rules for remote access. Their priorities are below 1001, where the priorities of the training's own
 * ports start.
 */
export const LOGIN_RULES = {
  Linux: { name: 'trainyard-ssh', port: '22', priority: 900 },
  Windows: { name: 'trainyard-rdp', port: '3389', priority: 910 },
} as const satisfies Record<AzureMachineSpec['os'], { name: string; port: string; priority: number }>

/** Returns the rule with this name without its sources; null for any other name. */
export function loginRule(name: string): SecurityRule | null {
  const found = Object.values(LOGIN_RULES).find((rule) => rule.name === name.toLowerCase())
  if (found === undefined) return null
  return {
    name: found.name,
    access: 'Allow',
    direction: 'Inbound',
    protocol: 'Tcp',
    priority: found.priority,
    sourcePortRange: '*',
    destinationAddressPrefix: '*',
    destinationPortRange: found.port,
  }
}

/** Returns the sources of a rule. Azure has different fields for one source and for several. */
export const sourcesFor = (sources: readonly string[]): Partial<SecurityRule> =>
  sources.length === 1 ? { sourceAddressPrefix: sources[0]! } : { sourceAddressPrefixes: [...sources] }

const sourcesOf = ({
  sourceAddressPrefix: single,
  sourceAddressPrefixes: several = [],
}: Partial<SecurityRule>): string =>
  [...(single === undefined || single === '' ? [] : [single]), ...several]
    .map((source) => source.toLowerCase())
    .toSorted()
    .join()

/** Returns true if a rule of remote access admits other sources than the given ones. */
export const mustMove = (rule: SecurityRule, sources: readonly string[]): boolean =>
  loginRule(rule.name ?? '') !== null && sourcesOf(rule) !== sourcesOf(sourcesFor(sources))

import type { SecurityRule } from '@azure/arm-network'
import type { Deletion, OpenPort, WantedRules } from '@trainyard/templates/server/cloud.ts'
import type { AzureRef } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { callOrNull, startOperation } from './calls.ts'
import type { AzureClients } from './clients.ts'
import { loginRule, mustMove, sourcesFor } from './login-rules.ts'
import { repairIfFailed } from './repair.ts'
import { waitUntilProvisioned } from './wait-until-provisioned.ts'

/** Name prefix of the rules that we manage. Other rules in the group are left unchanged. */
const RULE_PREFIX = 'trainyard-port-'
const PRIORITIES = { first: 1001, last: 4096 }
/**
 * Maximum number of changes in one step. It limits the duration of a step, because Azure processes the rules of a group
 * one by one.
 */
const MAX_CHANGES = 16

/**
 * Changes the rules one by one, because a PUT of the whole group would delete rules that other clients add
 * concurrently.
 */
export async function updateRules(
  clients: AzureClients,
  ref: AzureRef,
  { ports, managementSources }: WantedRules,
  signal: AbortSignal,
): Promise<'held' | 'changed' | 'absent'> {
  const { resourceGroup: group, name } = ref
  const { securityRules } = clients.network
  const read = async () => (await readGroup(clients, ref, signal)).body
  const existing = await read()
  if (existing === null) return 'absent'
  const rules = existing.securityRules ?? []
  const requested = new Map(ports.map((port) => [ruleName(port.port), port]))
  const extra = rules.filter(({ name: rule }) => isOurs(rule) && !requested.has(rule!.toLowerCase()))
  const missing = [...requested].filter(([rule, port]) => !rules.some((each) => opens(each, rule, port)))
  const movedRules = managementSources === undefined ? [] : rules.filter((rule) => mustMove(rule, managementSources))
  if (extra.length + missing.length + movedRules.length === 0) return 'held'

  const settle = () => waitUntilProvisioned(`the security group ${name}`, null, read, signal)
  const label = `the security group ${name} in the resource group ${group}`
  const usable = await repairIfFailed(label, existing, (content) =>
    startOperation(`repair the security group ${name}`, signal, (options) =>
      clients.network.networkSecurityGroups.beginCreateOrUpdate(group, name, content, options),
    ),
  )
  await waitUntilProvisioned(`the security group ${name}`, usable, read, signal)
  for (const { name: rule, destinationPortRange } of extra.slice(0, MAX_CHANGES)) {
    await startOperation(`close port ${destinationPortRange}`, signal, (options) =>
      securityRules.beginDelete(group, name, rule!, options),
    )
    await settle()
  }
  for (const rule of movedRules) {
    await startOperation(`set the sources of port ${rule.destinationPortRange}`, signal, (options) =>
      securityRules.beginCreateOrUpdate(
        group,
        name,
        rule.name!,
        { ...loginRule(rule.name!)!, ...sourcesFor(managementSources!) },
        options,
      ),
    )
    await settle()
  }
  const taken = prioritiesIn(rules.filter((rule) => !extra.includes(rule)))
  for (const [rule, wantedPort] of missing.slice(0, Math.max(0, MAX_CHANGES - extra.length))) {
    const { port, priority: preferred } = wantedPort
    const before = rules.find(({ name: existing }) => existing?.toLowerCase() === rule)
    const priority = before?.priority ?? freePriority(taken, preferred)
    taken.add(priority)
    await startOperation(`open port ${port}`, signal, (options) =>
      securityRules.beginCreateOrUpdate(group, name, rule, ruleFor(wantedPort, priority), options),
    )
    await settle()
  }
  return 'changed'
}

export async function deleteSecurityGroup(
  clients: AzureClients,
  ref: AzureRef,
  signal: AbortSignal,
): Promise<Deletion> {
  const { resourceGroup: group, name } = ref
  const seen = await readGroup(clients, ref, signal)
  if (seen.body === null) return { at: seen.at, remaining: 'nothing' }
  if (seen.body.provisioningState?.toLowerCase() === 'deleting') return { at: seen.at, remaining: 'something' }
  const { at } = await startOperation(`delete the security group ${name}`, signal, (options) =>
    clients.network.networkSecurityGroups.beginDelete(group, name, options),
  )
  return { at, remaining: 'something' }
}

const readGroup = ({ network }: AzureClients, { resourceGroup, name }: AzureRef, signal: AbortSignal) =>
  callOrNull('read the security group', signal, (options) =>
    network.networkSecurityGroups.get(resourceGroup, name, options),
  )

const ruleName = (port: number): string => `${RULE_PREFIX}${port}`

const isOurs = (rule: string | undefined): boolean => rule?.toLowerCase().startsWith(RULE_PREFIX) ?? false

const PROTOCOLS: Readonly<Record<NonNullable<OpenPort['protocol']>, string>> = {
  TCP: 'Tcp',
  UDP: 'Udp',
  'TCP and UDP': '*',
}

function ruleFor({ port, protocol = 'TCP and UDP', source }: OpenPort, priority: number): SecurityRule {
  return {
    access: 'Allow',
    direction: 'Inbound',
    protocol: PROTOCOLS[protocol],
    priority,
    sourceAddressPrefix: source ?? '*',
    sourcePortRange: '*',
    destinationAddressPrefix: '*',
    destinationPortRange: String(port),
  }
}

function opens(existing: SecurityRule, name: string, port: OpenPort): boolean {
  const { priority: _own, ...right } = ruleFor(port, 0)
  return (
    existing.name?.toLowerCase() === name &&
    Object.entries(right).every(([field, value]) => existing[field as keyof SecurityRule] === value)
  )
}

const prioritiesIn = (rules: readonly SecurityRule[]): Set<number> =>
  new Set(rules.filter(({ direction }) => direction === 'Inbound').map(({ priority }) => priority!))

function freePriority(usedPriorities: ReadonlySet<number>, preferred: number): number {
  if (!usedPriorities.has(preferred)) return preferred
  for (let priority = PRIORITIES.first; priority <= PRIORITIES.last; priority++) {
    if (!usedPriorities.has(priority)) return priority
  }
  throw new CloudError('quota', 'The security group has no free priority for another port. Close a port first.')
}

import { parseAzureNetworkId } from './azure-network-id.ts'
import { isSubnetIn } from '@trainyard/templates/server/machine-address.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { callOrNull, startOperation, call } from './calls.ts'
import type { AzureClients } from './clients.ts'
import { abortable } from './abortable.ts'
import { LOGIN_RULES, loginRule, sourcesFor } from './login-rules.ts'
import { sharedTags, tagValue } from './names.ts'
import { MACHINE_SUBNET, subnetFor } from './machine-subnet.ts'
import { memoize } from './memoize.ts'
import { repairIfFailed } from './repair.ts'
import { waitUntilProvisioned } from './wait-until-provisioned.ts'

export interface SharedResources {
  readonly subnet: string
  readonly securityGroup: string
}

export interface SharedResourceCache {
  ensure(spec: AzureMachineSpec, signal: AbortSignal): Promise<SharedResources>
  forget(resourceGroup: string): void
}

const CACHE_MS = 10 * 60_000
const SHARED_TIMEOUT_MS = 90_000

export const DEFAULT_NETWORK_RANGE = '10.0.0.0/16'
/** @param range address range of networks that the portal creates */
export function sharedResources({ resources, network, networkIn }: AzureClients, range: string): SharedResourceCache {
  const groups = memoize<void>(CACHE_MS)
  const subnets = memoize<string>(CACHE_MS)
  const securityGroups = memoize<string>(CACHE_MS)

  async function ensureGroup({ resourceGroup: name, location, tags }: AzureMachineSpec, signal: AbortSignal) {
    // An existing group is not sent again, because a PUT would replace its tags, and its region cannot change.
    const existing = await callOrNull('read the resource group', signal, (options) =>
      resources.resourceGroups.get(name, options),
    )
    if (existing.body) return
    await call(`create the resource group ${name}`, signal, (options) =>
      resources.resourceGroups.createOrUpdate(name, { location, tags: { ...tags, ...sharedTags } }, options),
    )
  }

  async function ensureSubnet(spec: AzureMachineSpec, signal: AbortSignal) {
    const { location, privateRanges = [] } = spec
    const isPrivate = spec.addressKind === 'private address'
    const parsedNetwork = parseAzureNetworkId(spec.network)
    const {
      resourceGroup: group,
      name,
      subnet: wantedSubnet,
    } = parsedNetwork ?? { ...spec, name: spec.network, subnet: null }
    const { virtualNetworks } = parsedNetwork === null ? network : networkIn(parsedNetwork.subscriptionId)
    const read = async () =>
      (await callOrNull('read the virtual network', signal, (options) => virtualNetworks.get(group, name, options)))
        .body
    // A PUT of an existing network would delete the subnets that it does not name.
    const existing = await read()
    if (existing === null && (isPrivate || parsedNetwork !== null)) throw missingNetwork(name, group)
    if (existing === null) {
      const tags = { ...spec.tags, ...sharedTags }
      // A virtual network has at most 65,536 private addresses, so one subnet has the whole range.
      const subnets = [{ name: MACHINE_SUBNET, addressPrefix: range }]
      const requested = { location, tags, addressSpace: { addressPrefixes: [range] }, subnets }
      await startOperation(`create the virtual network ${name}`, signal, (options) =>
        virtualNetworks.beginCreateOrUpdate(group, name, requested, options),
      )
    } else if (existing.location !== undefined && !isSameRegion(existing.location, location)) {
      throw new CloudError(
        'refused',
        `The virtual network ${name} is in ${existing.location}, and the machine will be in ${location}. Enter a network of that region in the VM card.`,
      )
    }
    const label = `the virtual network ${name} in the resource group ${group}`
    const usable =
      existing &&
      (await repairIfFailed(label, existing, (content) =>
        startOperation(`repair the virtual network ${name}`, signal, (options) =>
          virtualNetworks.beginCreateOrUpdate(group, name, content, options),
        ),
      ))
    const created = await waitUntilProvisioned(`the virtual network ${name}`, usable, read, signal)
    const subnet = subnetFor(created, wantedSubnet)
    const prefixes = subnet.addressPrefixes ?? [subnet.addressPrefix ?? '']
    if (isPrivate && !prefixes.every((prefix) => isSubnetIn(prefix, privateRanges))) {
      throw new CloudError(
        'refused',
        `The subnet ${subnet.name} (${prefixes.join(', ')}) of the virtual network ${name} is not in the address ranges of the private network (${privateRanges.join(', ')}). Correct the network in the VM card, or the ranges under Private Networks.`,
      )
    }
    return subnet.id
  }

  async function ensureSecurityGroup(spec: AzureMachineSpec, signal: AbortSignal) {
    const { resourceGroup: group, securityGroup: name, location } = spec
    const ofSystem = LOGIN_RULES[spec.os]
    const rule = { ...loginRule(ofSystem.name)!, ...sourcesFor(spec.managementSources ?? ['*']) }
    const read = async () =>
      (
        await callOrNull('read the security group', signal, (options) =>
          network.networkSecurityGroups.get(group, name, options),
        )
      ).body
    const existing = await read()
    const label = `the security group ${name} in the resource group ${group}`
    const usable =
      existing &&
      (await repairIfFailed(label, existing, (content) =>
        startOperation(`repair the security group ${name}`, signal, (options) =>
          network.networkSecurityGroups.beginCreateOrUpdate(group, name, content, options),
        ),
      ))
    if (existing === null) {
      const tags = { ...spec.tags, ...sharedTags, 'trainyard-training': tagValue(spec.training) }
      await startOperation(`create the security group ${name}`, signal, (options) =>
        network.networkSecurityGroups.beginCreateOrUpdate(
          group,
          name,
          { location, tags, securityRules: [rule] },
          options,
        ),
      )
    }
    const created = await waitUntilProvisioned(`the security group ${name}`, usable, read, signal)
    if (created.id === undefined)
      throw new CloudError('unreachable', `Azure's security group ${name} could not be read.`)
    if (!created.securityRules?.some(({ name }) => name === ofSystem.name)) {
      // Only this rule is added. A PUT of the group would delete the training's open ports.
      await startOperation(`open port ${ofSystem.port}`, signal, (options) =>
        network.securityRules.beginCreateOrUpdate(group, name, ofSystem.name, rule, options),
      )
      await waitUntilProvisioned(`the security group ${name}`, null, read, signal)
    }
    return created.id
  }

  return {
    async ensure(spec, signal) {
      const { network: virtualNetwork, os, resourceGroup: group, securityGroup, privateRanges = [] } = spec
      const checked = spec.addressKind === 'private address' ? [privateRanges.join()] : []
      // Shared work has a separate timeout, so that aborting one caller does not end the work for the other callers.
      const shared = AbortSignal.timeout(SHARED_TIMEOUT_MS)
      const key = (...parts: string[]) => [group, ...parts].join('/').toLowerCase()
      const create = async () => {
        await groups.get(key(''), () => ensureGroup(spec, shared))
        const [subnet, security] = await Promise.all([
          subnets.get(key('', virtualNetwork, ...checked), () => ensureSubnet(spec, shared)),
          securityGroups.get(key('', securityGroup, os), () => ensureSecurityGroup(spec, shared)),
        ])
        return { subnet, securityGroup: security }
      }
      return await abortable('Preparing the network at Azure', create(), signal)
    },
    forget(resourceGroup) {
      const prefix = `${resourceGroup}/`.toLowerCase()
      for (const cache of [groups, subnets, securityGroups]) cache.forget(prefix)
    },
  }
}

const missingNetwork = (name: string, group: string): CloudError =>
  new CloudError(
    'refused',
    `The virtual network ${name} does not exist in the resource group ${group}. Machines with private addresses, and networks entered by their resource ID, need an existing network: create it in Azure, or correct the network in the VM card.`,
  )

/** Compares names such as `South India` and `southindia`. */
const isSameRegion = (a: string, b: string): boolean =>
  a.replaceAll(' ', '').toLowerCase() === b.replaceAll(' ', '').toLowerCase()

import type { MachineSpec } from '../cloud.ts'
import { CloudError } from '../errors.ts'
import { find, order, ask } from './ask.ts'
import type { AzureClients } from './clients.ts'
import { leaving } from './leaving.ts'
import { sharedTags, tagValue } from './names.ts'
import { once } from './once.ts'
import { settled } from './settled.ts'

/** The resources that a machine shares with others, by resource id. */
export interface Surroundings {
  readonly subnet: string
  readonly securityGroup: string
}

export interface SurroundingsMaker {
  /** Makes what is missing, once for all callers; what is there already is taken as it is, whoever made it. */
  ensure(spec: MachineSpec, signal: AbortSignal): Promise<Surroundings>
  /** Azure says that something remembered is not there: look again next time. */
  forget(resourceGroup: string): void
}

const REMEMBER = 10 * 60_000
const SHARED_WORK = 90_000

// A virtual network takes 65,536 private addresses at most, whatever its space: the subnet is as big as that.
const SPACE = '10.0.0.0/8'
const SUBNET = { name: 'default', addressPrefix: '10.0.0.0/16' }

/** The rule that lets a person use the machine at all. Below 1001, where the training's own ports begin. */
const LOGIN_RULES = {
  Linux: { name: 'trainyard-ssh', port: '22', priority: 900 },
  Windows: { name: 'trainyard-rdp', port: '3389', priority: 910 },
}

export function surroundingsMaker({ resources, network }: AzureClients): SurroundingsMaker {
  const groups = once<void>(REMEMBER)
  const subnets = once<string>(REMEMBER)
  const securityGroups = once<string>(REMEMBER)

  async function ensureGroup(name: string, location: string, signal: AbortSignal) {
    // Never PUT over a group that stands: that would replace its tags, and its region can't be changed.
    const there = await find('look at the resource group', signal, (options) =>
      resources.resourceGroups.get(name, options),
    )
    if (there.body) return
    await ask(`make the resource group ${name}`, signal, (options) =>
      resources.resourceGroups.createOrUpdate(name, { location, tags: sharedTags }, options),
    )
  }

  async function ensureSubnet(group: string, name: string, location: string, signal: AbortSignal) {
    const look = async () =>
      (
        await find('look at the virtual network', signal, (options) =>
          network.virtualNetworks.get(group, name, options),
        )
      ).body
    // A PUT over a network that stands would take away the subnets it does not name.
    const existing = await look()
    if (existing === null) {
      const wanted = { location, tags: sharedTags, addressSpace: { addressPrefixes: [SPACE] }, subnets: [SUBNET] }
      await order(`make the virtual network ${name}`, signal, (options) =>
        network.virtualNetworks.beginCreateOrUpdate(group, name, wanted, options),
      )
    }
    const made = await settled(`the virtual network ${name}`, existing, look, signal)
    const subnet = made.subnets?.find(({ name }) => name === SUBNET.name) ?? made.subnets?.[0]
    if (subnet?.id === undefined) throw new CloudError('refused', `The virtual network ${name} has no subnet.`)
    return subnet.id
  }

  async function ensureSecurityGroup(spec: MachineSpec, signal: AbortSignal) {
    const { resourceGroup: group, securityGroup: name, location } = spec
    const loginRule = LOGIN_RULES[spec.os]
    const rule = {
      name: loginRule.name,
      access: 'Allow',
      direction: 'Inbound',
      protocol: 'Tcp',
      priority: loginRule.priority,
      sourceAddressPrefix: '*',
      sourcePortRange: '*',
      destinationAddressPrefix: '*',
      destinationPortRange: loginRule.port,
    }
    const look = async () =>
      (
        await find('look at the security group', signal, (options) =>
          network.networkSecurityGroups.get(group, name, options),
        )
      ).body
    const existing = await look()
    if (existing === null) {
      const tags = { ...sharedTags, 'trainyard-training': tagValue(spec.training) }
      await order(`make the security group ${name}`, signal, (options) =>
        network.networkSecurityGroups.beginCreateOrUpdate(
          group,
          name,
          { location, tags, securityRules: [rule] },
          options,
        ),
      )
    }
    const made = await settled(`the security group ${name}`, existing, look, signal)
    if (made.id === undefined) throw new CloudError('unreachable', `Azure's security group ${name} could not be read.`)
    if (!made.securityRules?.some(({ name }) => name === loginRule.name)) {
      // One rule alone: a PUT of the group would take away the ports that the training has opened.
      await order(`open port ${loginRule.port}`, signal, (options) =>
        network.securityRules.beginCreateOrUpdate(group, name, loginRule.name, rule, options),
      )
      await settled(`the security group ${name}`, null, look, signal)
    }
    return made.id
  }

  return {
    async ensure(spec, signal) {
      const { location, network: virtualNetwork, os, resourceGroup: group, securityGroup } = spec
      // Shared work has its own time limit: one caller that leaves must not break it for the others.
      const shared = AbortSignal.timeout(SHARED_WORK)
      const key = (...parts: string[]) => [group, ...parts].join('/').toLowerCase()
      const work = async () => {
        await groups.get(key(''), () => ensureGroup(group, location, shared))
        const [subnet, security] = await Promise.all([
          subnets.get(key('', virtualNetwork), () => ensureSubnet(group, virtualNetwork, location, shared)),
          securityGroups.get(key('', securityGroup, os), () => ensureSecurityGroup(spec, shared)),
        ])
        return { subnet, securityGroup: security }
      }
      return await leaving('Preparing the network at Azure', work(), signal)
    },
    forget(resourceGroup) {
      const prefix = `${resourceGroup}/`.toLowerCase()
      for (const memory of [groups, subnets, securityGroups]) memory.forget(prefix)
    },
  }
}

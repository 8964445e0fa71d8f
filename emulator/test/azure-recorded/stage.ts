import { randomUUID } from 'node:crypto'
import type { FarEnd, Reply } from '#test/far-end.ts'
import { callOf } from '#test/recorded-call.ts'
import { asRequest, mended, regionOf, type Body } from '#test/azure-recorded/translate.ts'

/** Longer than anything the emulator does takes. */
const LONG = 24 * 3600

/** Makes what a recorded request needs stand, by calls of Azure's interface and by nothing else. */
export class Stage {
  readonly #farEnd: FarEnd
  readonly #made = new Set<string>()
  #numbers = 0
  #patient = true
  /** Where what no answer shows stands. */
  readonly #region: string

  constructor(farEnd: FarEnd, region: string) {
    this.#farEnd = farEnd
    this.#region = region
  }

  /** Whatever is at work ends. */
  async settle(): Promise<void> {
    await this.#farEnd.advance(LONG)
  }

  /** Counts as existing, because the recording makes it. */
  knows(id: string): void {
    this.#made.add(id.toLowerCase())
  }

  /** Makes the resource that an id names, with all that it needs, like the body that was shown of it. */
  async stand(id: string, shown: Body = {}): Promise<void> {
    if (this.#made.has(id.toLowerCase())) return
    this.#made.add(id.toLowerCase())
    const { kind } = callOf('GET', id)
    const above = aboveOf(id)
    if (above !== null) await this.stand(above)
    if (kind.includes('/') && (await this.#stands(id))) return
    await this.#make(id, kind, shown)
    await this.#users(id, kind, shown)
  }

  /** The same, but it is still being made when this returns. */
  async begin(id: string, shown: Body): Promise<void> {
    const above = aboveOf(id)
    if (above !== null) await this.stand(above)
    await this.standFor(asRequest(shown).properties)
    this.#patient = false
    await this.stand(id, shown)
    this.#patient = true
  }

  /** A group that goes. */
  async beginDeletion(id: string): Promise<void> {
    await this.stand(id)
    await this.#farEnd.arm('DELETE', id)
  }

  /** Everything that a body refers to by id. */
  async standFor(body: unknown, location?: string): Promise<void> {
    for (const id of idsIn(body)) await this.stand(id, location === undefined ? {} : { location })
  }

  /** A change that is still at work when this returns. */
  async beginChange(id: string): Promise<void> {
    if (callOf('GET', id).kind === 'virtualNetworks') {
      return this.#put(`${id}/subnets/another`, { properties: { addressPrefix: '10.199.0.0/16' } }, false)
    }
    const shown = await this.#farEnd.arm('GET', id)
    await this.#put(id, asRequest(shown.body), false)
  }

  /** A user of the directory, by the id it has there. */
  async user(signInName = `${randomUUID()}@lab.example`): Promise<string> {
    const reply = await send(this.#farEnd, 'POST', '/v1.0/users', {
      accountEnabled: true,
      displayName: 'Recorded',
      mailNickname: 'recorded',
      userPrincipalName: signInName,
      passwordProfile: { password: 'Correct-Horse-7', forceChangePasswordNextSignIn: true },
    })
    // Azure learns of it some time later.
    await this.settle()
    return (reply.body as { id: string }).id
  }

  async deleteUser(id: string): Promise<void> {
    await send(this.#farEnd, 'DELETE', `/v1.0/users/${id}`)
  }

  async deallocate(machine: string): Promise<void> {
    await this.#farEnd.arm('POST', `${machine}/deallocate`)
    await this.settle()
  }

  async #stands(id: string): Promise<boolean> {
    return (await this.#farEnd.arm('GET', id)).status === 200
  }

  async #make(id: string, kind: string, shown: Body): Promise<void> {
    const location = regionOf(shown.location ?? this.#region)
    const properties = asRequest(shown.properties ?? {})
    await this.standFor(kind === 'virtualMachines' ? properties.networkProfile : properties, location)
    const known =
      shown.properties === undefined
        ? null
        : mended(kind, { ...asRequest(shown), ...(shown.location === undefined ? {} : { location }) })
    switch (kind) {
      case 'resourceGroups':
        return this.#put(id, { location, ...(shown.tags === undefined ? {} : { tags: shown.tags }) })
      case 'virtualNetworks':
        return this.#put(id, known ?? { location, properties: { addressSpace: { addressPrefixes: SPACE } } })
      case 'virtualNetworks/subnets':
        return this.#put(id, known ?? { properties: { addressPrefix: `10.${200 + this.#next()}.0.0/16` } })
      case 'networkSecurityGroups':
        return this.#put(id, known ?? { location })
      case 'networkSecurityGroups/securityRules':
        return this.#put(id, known ?? { properties: { ...RULE, priority: 2000 + this.#next() } })
      case 'publicIPAddresses':
        return this.#put(id, known ?? mended(kind, { location }))
      case 'networkInterfaces':
        return this.#put(
          id,
          known ?? { location, properties: { ipConfigurations: [await this.#configuration(id, location)] } },
        )
      case 'virtualMachines':
        return this.#put(id, await this.#machine(id, location, shown))
      case 'virtualMachines/extensions':
        return this.#put(id, known ?? { location, properties: EXTENSION })
      case 'disks':
        return this.#disk(id, shown)
      case 'galleries':
        return this.#put(id, { location, tags: {}, ...(known === null ? {} : { properties: known.properties }) })
      case 'galleries/images':
        return this.#put(id, known ?? { location, properties: definition(this.#next()) })
      case 'galleries/images/versions':
        return this.#version(id, location, shown)
      case 'roleAssignments':
        return this.#put(id, {
          properties: { ...ROLE(id), principalId: await this.user(), principalType: 'User' },
        })
      case 'policyAssignments':
        return this.#put(id, { properties: POLICY })
    }
  }

  /** Makes the resources that the shown body says use this one. */
  async #users(id: string, kind: string, shown: Body): Promise<void> {
    const properties = (shown.properties ?? {}) as Body
    const users = [
      properties.ipConfiguration,
      properties.ipConfigurations,
      properties.networkInterfaces,
      properties.subnets,
    ]
    if (kind === 'networkInterfaces') {
      for (const machine of idsIn(properties.virtualMachine)) await this.#machineOn(machine, id)
    } else if (kind !== 'virtualNetworks') {
      for (const user of idsIn(users)) await this.usedBy(id, kind, user)
    }
  }

  /** An interface or a subnet that has the address, the subnet or the security group. */
  async usedBy(id: string, kind: string, user: string): Promise<void> {
    const [networkInterface = '', name = 'ipconfig1'] = user.split('/ipConfigurations/')
    if (this.#made.has(networkInterface.toLowerCase())) return
    this.#made.add(networkInterface.toLowerCase())
    const above = aboveOf(networkInterface)
    if (above !== null) await this.stand(above)
    if (callOf('GET', networkInterface).kind === 'virtualNetworks/subnets') {
      return this.#put(networkInterface, {
        properties: { addressPrefix: `10.${200 + this.#next()}.0.0/16`, networkSecurityGroup: { id } },
      })
    }
    if (callOf('GET', networkInterface).kind !== 'networkInterfaces') return
    const { properties } = await this.#configuration(networkInterface, this.#region)
    await this.#put(networkInterface, {
      location: this.#region,
      properties: {
        ...(kind === 'networkSecurityGroups' ? { networkSecurityGroup: { id } } : {}),
        ipConfigurations: [
          {
            name,
            properties: {
              ...properties,
              ...(kind === 'publicIPAddresses' ? { publicIPAddress: { id } } : {}),
              ...(kind === 'virtualNetworks/subnets' ? { subnet: { id } } : {}),
            },
          },
        ],
      },
    })
  }

  async #machineOn(id: string, networkInterface: string): Promise<void> {
    await this.stand(id, { properties: { networkProfile: { networkInterfaces: [{ id: networkInterface }] } } })
  }

  async #configuration(networkInterface: string, location: string): Promise<{ name: string; properties: Body }> {
    const network = `${groupOf(networkInterface)}/providers/Microsoft.Network/virtualNetworks/stage-${location}`
    const subnet = `${network}/subnets/default`
    await this.stand(network, { location, properties: { addressSpace: { addressPrefixes: SPACE } } })
    await this.stand(subnet)
    return { name: 'ipconfig1', properties: { subnet: { id: subnet } } }
  }

  async #machine(id: string, location: string, shown: Body): Promise<Body> {
    const properties = asRequest(shown.properties ?? {})
    const network = properties.networkProfile as { networkInterfaces?: { id: string }[] } | undefined
    const networkInterfaces = network?.networkInterfaces ?? [
      { id: `${groupOf(id)}/providers/Microsoft.Network/networkInterfaces/${nameOf(id)}-stage` },
    ]
    for (const networkInterface of networkInterfaces) await this.stand(networkInterface.id, { location })
    const storage = (properties.storageProfile ?? {}) as Body
    return mended('virtualMachines', {
      ...asRequest(shown),
      location,
      properties: {
        hardwareProfile: { vmSize: 'Standard_D2s_v3' },
        ...properties,
        osProfile: properties.osProfile ?? { computerName: 'stage', adminUsername: 'trainee' },
        storageProfile: {
          imageReference: {},
          ...storage,
          osDisk: { createOption: 'FromImage', ...(storage.osDisk as Body | undefined) },
        },
        networkProfile: { networkInterfaces: networkInterfaces },
      },
    })
  }

  /** Disks come with machines; one that no machine has was left behind by its own. */
  async #disk(id: string, shown: Body): Promise<void> {
    const osType = (shown.properties as Body | undefined)?.osType ?? 'Linux'
    const storageAccountType = (shown.sku as Body | undefined)?.name
    const osDisk = { name: nameOf(id), osType, deleteOption: 'Detach', managedDisk: { storageAccountType } }
    const owner = shown.managedBy
    const machine =
      typeof owner === 'string' ? owner : `${groupOf(id)}/providers/Microsoft.Compute/virtualMachines/owner`
    await this.stand(machine, { properties: { storageProfile: { osDisk } } })
    if (typeof owner === 'string') return
    await this.#farEnd.arm('DELETE', machine)
    this.#made.delete(machine.toLowerCase())
    await this.settle()
  }

  /** A copy of a machine: the emulator makes no others. */
  async #version(id: string, location: string, shown: Body): Promise<void> {
    const source = `${groupOf(id)}/providers/Microsoft.Compute/virtualMachines/stage-source`
    await this.stand(source)
    const { publishingProfile } = (shown.properties ?? {}) as { publishingProfile?: { targetRegions?: Body[] } }
    const regions = publishingProfile?.targetRegions?.map(({ name }) => ({ name: regionOf(name) })) ?? []
    const targetRegions = regions.some(({ name }) => name === location) ? regions : [...regions, { name: location }]
    await this.#put(id, {
      location,
      properties: { publishingProfile: { targetRegions }, storageProfile: { source: { virtualMachineId: source } } },
    })
  }

  async #put(id: string, body: Body, settle = true): Promise<void> {
    const reply = await this.#farEnd.arm('PUT', id, body)
    if (reply.status >= 300) throw new Error(`Can't make ${id} stand: ${reply.status} ${JSON.stringify(reply.body)}`)
    if (settle && this.#patient && reply.headers.has('azure-asyncoperation')) await this.settle()
  }

  #next(): number {
    this.#numbers += 1
    return this.#numbers
  }
}

/** Every address that there is: a recorded subnet may have any. */
const SPACE = ['0.0.0.0/1', '128.0.0.0/1']

const RULE = {
  protocol: 'Tcp',
  access: 'Allow',
  direction: 'Inbound',
  sourceAddressPrefix: '*',
  sourcePortRange: '*',
  destinationAddressPrefix: '*',
  destinationPortRange: '80',
}

const EXTENSION = {
  publisher: 'Microsoft.OSTCExtensions',
  type: 'VMAccessForLinux',
  typeHandlerVersion: '1.5',
  protectedSettings: { username: 'trainee', password: 'Sup3r-secret-2' },
}

const definition = (number: number) => ({
  osType: 'Linux',
  osState: 'Specialized',
  hyperVGeneration: 'V1',
  identifier: { publisher: 'publisher', offer: 'offer', sku: `sku-${number}` },
})

const ROLE = (id: string) => ({
  roleDefinitionId: `/subscriptions/${id.split('/')[2] ?? ''}/providers/Microsoft.Authorization/roleDefinitions/acdd72a7-3385-48ef-bd42-f606fba81ae7`,
})

const POLICY = {
  policyDefinitionId: '/providers/Microsoft.Authorization/policyDefinitions/cccc23c7-8427-4f53-ad12-b6a63eb452b3',
  parameters: { listOfAllowedSKUs: { value: ['Standard_D2s_v3'] } },
}

export const nameOf = (id: string): string => id.slice(id.lastIndexOf('/') + 1)

export const groupOf = (id: string): string => /^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+/i.exec(id)?.[0] ?? ''

/** Returns the id of the parent resource, or of the group it is in; null for a group. */
export function aboveOf(id: string): string | null {
  if (!/\/providers\//i.test(id)) return null
  const group = groupOf(id)
  const parts = id.slice(group.length).split('/').slice(3)
  if (parts.length > 2) return id.split('/').slice(0, -2).join('/')
  return group === '' ? null : group
}

/** Every resource id in a body, of the kinds that stand in groups. */
function idsIn(value: unknown): string[] {
  const found: string[] = []
  const look = (inner: unknown): void => {
    if (typeof inner === 'string') {
      if (/^\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/[^/]+\/[^/]+\/[^/]+/i.test(inner))
        found.push(inner)
    } else if (typeof inner === 'object' && inner !== null) for (const one of Object.values(inner)) look(one)
  }
  look(value)
  return found
}

export async function send(
  farEnd: FarEnd,
  method: string,
  path: string,
  body?: unknown,
  token = 'of-a-test',
): Promise<Reply> {
  const response = await fetch(farEnd.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: readable(text) }
}

/** A page of some proxy is no answer of Azure's. */
function readable(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

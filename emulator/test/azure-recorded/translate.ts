import { locations } from '#src/azure/arm/locations.ts'
import { sizes } from '#src/azure/compute/sizes.ts'
import type { Recording } from '#test/recordings.ts'

/** A body as it goes over the wire. */
export type Body = Record<string, unknown>

export interface Request {
  readonly method: string
  readonly path: string
  readonly body: Body | undefined
}

const ZEROS = '00000000-0000-0000-0000-000000000000'

/** In a subscription of its own, where nothing stands but what the test has made there. */
export function inSubscription<T>(value: T, subscription: string): T {
  return JSON.parse(JSON.stringify(value).replaceAll(`/subscriptions/${ZEROS}`, `/subscriptions/${subscription}`)) as T
}

/** Only the provider may set these fields: a body without them is one that a client could have sent. */
const READ_ONLY = new Set(
  `etag systemData provisioningState resourceGuid vmId timeCreated instanceView ipConfiguration
  ipAddress macAddress virtualMachine networkInterfaces defaultSecurityRules hostedWorkloads tapConfigurations
  uniqueId diskState diskSizeBytes managedBy managedByExtended resources virtualNetworkPeerings replicationStatus
  createdOn updatedOn createdBy updatedBy appliedDnsServers internalDomainNameSuffix`.split(/\s+/),
)

/** A body as a client would send it that was shown this one. */
export function asRequest(shown: unknown): Body {
  const { id: _, name: __, type: ___, ...rest } = (typeof shown === 'object' && shown !== null ? shown : {}) as Body
  return without(rest, '') as Body
}

function without(value: unknown, of: string): unknown {
  if (Array.isArray(value)) return value.map((item) => without(item, of))
  if (typeof value !== 'object' || value === null) return value
  // A part that is shown with its own id and tag is a client's by name; a reference is its id.
  const isPart = 'etag' in value || ('id' in value && 'name' in value)
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => of === 'networkProfile' || !READ_ONLY.has(name))
      .filter(([name]) => !(isPart && (name === 'id' || name === 'type')))
      .map(([name, inner]) => [name, without(inner, name)]),
  )
}

/** A region that is Azure's own (EUAP) or a city's becomes a usual one. */
export function regionOf(location: unknown): string {
  const plain = typeof location === 'string' ? location.toLowerCase().replaceAll(' ', '') : ''
  return locations.includes(plain) ? plain : 'eastus2'
}

/** Images that stand in today's catalogue, of the first generation; those of the second make Trusted Launch machines. */
const IMAGES = {
  Linux: { publisher: 'Canonical', offer: '0001-com-ubuntu-server-jammy', sku: '22_04-lts', version: 'latest' },
  Windows: { publisher: 'MicrosoftWindowsServer', offer: 'WindowsServer', sku: '2022-datacenter', version: 'latest' },
}
const SECOND_GENERATION = { Linux: '22_04-lts-gen2', Windows: '2022-datacenter-g2' }
const PASSWORD = 'Sup3r-secret-1'
const KEY = 'ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7vbqajDhA8kZ trainee@example.com'

/** The body with what recordings can't hold or Azure no longer has: secrets, retired sizes, images and kinds. */
export function mended(kind: string, body: Body): Body {
  const located = 'location' in body ? { ...body, location: regionOf(body.location) } : body
  if (kind === 'users' && 'passwordProfile' in body) {
    return { ...body, passwordProfile: { ...(body.passwordProfile as Body), password: PASSWORD } }
  }
  if (kind === 'virtualMachines') return mendedMachine(located)
  if (kind === 'virtualMachines/extensions') return mendedExtension(located)
  if (kind === 'publicIPAddresses') return mendedAddress(located)
  return located
}

/** Returns the body with the secrets filled in that were left out of the recordings. */
function mendedExtension(body: Body): Body {
  const properties = (body.properties ?? {}) as Body
  const hidden = typeof properties.protectedSettings === 'string'
  return hidden
    ? { ...body, properties: { ...properties, protectedSettings: { username: 'trainee', password: PASSWORD } } }
    : body
}

/** Returns the body of a refused request, mended in nothing that it may have been refused for. */
const withSecrets = (kind: string, body: Body): Body => (kind === 'virtualMachines' ? mended(kind, body) : body)

/** Basic addresses are retired, and with them those that change. */
function mendedAddress(body: Body): Body {
  const properties = (body.properties ?? {}) as Body
  return { ...body, sku: { name: 'Standard' }, properties: { ...properties, publicIPAllocationMethod: 'Static' } }
}

function mendedMachine(body: Body): Body {
  const properties = body.properties as Body | undefined
  if (properties === undefined) return body
  const { osProfile, storageProfile, hardwareProfile, ...rest } = properties
  return {
    ...body,
    properties: {
      ...rest,
      ...(hardwareProfile === undefined ? {} : { hardwareProfile: mendedSize(hardwareProfile as Body) }),
      ...(storageProfile === undefined
        ? {}
        : { storageProfile: mendedStorage(storageProfile as Body, 'securityProfile' in rest) }),
      ...(osProfile === undefined ? {} : { osProfile: mendedAccount(osProfile as Body) }),
    },
  }
}

function mendedSize(profile: Body): Body {
  const offered = sizes.some(({ name }) => name.toLowerCase() === String(profile.vmSize).toLowerCase())
  return offered ? profile : { ...profile, vmSize: 'Standard_D2s_v3' }
}

function mendedStorage(storage: Body, trusted: boolean): Body {
  const image = (storage.imageReference ?? {}) as Body
  const disk = (storage.osDisk ?? {}) as Body
  const os = disk.osType === 'Windows' || /windows/i.test(String(image.publisher)) ? 'Windows' : 'Linux'
  const { vhd: _, ...osDisk } = disk
  const data = (storage.dataDisks ?? []) as Body[]
  return {
    ...storage,
    imageReference: { ...IMAGES[os], ...(trusted ? { sku: SECOND_GENERATION[os] } : {}) },
    ...(storage.osDisk === undefined ? {} : { osDisk: { ...osDisk, createOption: 'FromImage', ...managed(disk) } }),
    ...(data.length === 0
      ? {}
      : { dataDisks: data.map(({ vhd: __, ...one }) => ({ ...one, createOption: 'Empty', ...managed(one) })) }),
  }
}

/** The machine makes its own disks: which became of them is not a client's to say. */
const managed = ({ managedDisk }: Body): Body => {
  const type = (managedDisk as Body | undefined)?.storageAccountType
  return typeof type === 'string' ? { managedDisk: { storageAccountType: type } } : { managedDisk: {} }
}

function mendedAccount(profile: Body): Body {
  const linux = profile.linuxConfiguration as Body | undefined
  const ssh = linux?.ssh as { publicKeys?: Body[] } | undefined
  const keys = ssh?.publicKeys?.map((key) => ({ ...key, keyData: KEY }))
  return {
    ...profile,
    ...(linux?.disablePasswordAuthentication === true ? {} : { adminPassword: PASSWORD }),
    ...(keys === undefined ? {} : { linuxConfiguration: { ...linux, ssh: { publicKeys: keys } } }),
  }
}

/** The recorded request, or what it must have been by its answer where the recording left it out. */
export function bodyOf(recording: Recording, kind: string): Body | undefined {
  if (!['PUT', 'PATCH', 'POST'].includes(recording.method)) return undefined
  const sent = recording.requestBody
  if (typeof sent === 'object' && sent !== null) {
    return recording.status < 400 ? mended(kind, sent as Body) : withSecrets(kind, sent as Body)
  }
  if (
    recording.method === 'POST' ||
    recording.status >= 400 ||
    typeof recording.body !== 'object' ||
    recording.body === null
  )
    return undefined
  return mended(kind, asRequest(recording.body))
}

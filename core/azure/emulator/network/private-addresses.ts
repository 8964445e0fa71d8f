import { networkRefusal } from '../arm/refusal.ts'
import type { AzureCloud } from '../cloud.ts'
import type { Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'
import { formatAddress, prefixesOf, rangeOf, type AddressRange } from './address-space.ts'

export const privateAddressTable = `
CREATE TABLE IF NOT EXISTS private_address (
  subnet TEXT NOT NULL,
  address INTEGER NOT NULL,
  configuration TEXT NOT NULL,
  PRIMARY KEY (subnet, address)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS private_address_of ON private_address (configuration);
`

/** Prefers the previous address, then the requested one, then the next free one. */
export function assignPrivateAddress(
  cloud: AzureCloud,
  subnet: Resource,
  configuration: string,
  requestedAddress: string | undefined,
): string {
  const existing = cloud.database.one<{ subnet: string; address: number }>(
    'SELECT subnet, address FROM private_address WHERE configuration = ?',
    configuration,
  )
  const range = rangeOf(prefixesOf(subnet.doc)[0] ?? '')
  if (range === undefined) throw full(subnet)
  const requested = requestedAddress === undefined ? undefined : rangeOf(`${requestedAddress}/32`)?.first
  if (
    existing !== undefined &&
    existing.subnet === subnet.key &&
    (requested === undefined || requested === existing.address)
  ) {
    return formatAddress(existing.address)
  }
  releasePrivateAddress(cloud, configuration)
  const address = requested ?? nextFree(cloud, subnet, range)
  if (requested !== undefined) refuseTaken(cloud, subnet, range, requested)
  cloud.database.run(
    'INSERT INTO private_address (subnet, address, configuration) VALUES (?, ?, ?)',
    subnet.key,
    address,
    configuration,
  )
  return formatAddress(address)
}

export function releasePrivateAddress(cloud: AzureCloud, configuration: string): void {
  cloud.database.run('DELETE FROM private_address WHERE configuration = ?', configuration)
}

/** Releases all private addresses of a network interface. The keys of its IP configurations begin with its own key. */
export function releasePrivateAddresses(cloud: AzureCloud, networkInterface: string): void {
  const prefix = `${networkInterface}/ipconfigurations/`
  cloud.database.run(
    'DELETE FROM private_address WHERE configuration > ? AND configuration < ?',
    prefix,
    `${prefix}\u{10ffff}`,
  )
}

/** Azure reserves the first four addresses of a subnet and the last one. */
function nextFree(cloud: AzureCloud, subnet: Resource, range: AddressRange): number {
  const lowest = range.first + 4
  const highest = range.first + range.size - 2
  const top = cloud.database.one<{ address: number | null }>(
    'SELECT max(address) AS address FROM private_address WHERE subnet = ?',
    subnet.key,
  )?.address
  if (top === null || top === undefined) {
    if (lowest > highest) throw full(subnet)
    return lowest
  }
  if (top < highest) return Math.max(top + 1, lowest)
  for (let address = lowest; address <= highest; address += 1) {
    const conflict = cloud.database.one(
      'SELECT 1 FROM private_address WHERE subnet = ? AND address = ?',
      subnet.key,
      address,
    )
    if (conflict === undefined) return address
  }
  throw full(subnet)
}

function refuseTaken(cloud: AzureCloud, subnet: Resource, range: AddressRange, address: number): void {
  if (address < range.first + 4 || address > range.first + range.size - 2) {
    throw networkRefusal(
      400,
      'PrivateIPAddressNotInSubnet',
      `Private static IP address ${formatAddress(address)} does not belong to the range of subnet ${subnet.id}.`,
    )
  }
  const conflict = cloud.database.one<{ configuration: string }>(
    'SELECT configuration FROM private_address WHERE subnet = ? AND address = ?',
    subnet.key,
    address,
  )
  if (conflict === undefined) return
  throw networkRefusal(
    400,
    'PrivateIPAddressInUse',
    `IP configuration requires the private IP address ${formatAddress(address)} which is already allocated to ${conflict.configuration}.`,
  )
}

function full(subnet: Resource): Refusal {
  return networkRefusal(
    400,
    'SubnetIsFull',
    `Subnet ${subnet.name} with address prefix ${prefixesOf(subnet.doc).join(', ')} does not have enough capacity for 1 IP addresses.`,
  )
}

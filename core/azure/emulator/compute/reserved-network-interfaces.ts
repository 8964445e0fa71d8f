import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import { Refusal } from '../arm/refusal.ts'
import type { Resource } from '../arm/resources.ts'

/** Seconds for which Azure reserves the network interfaces of a machine whose creation failed. */
const RESERVED = 180

export const reservedNetworkInterfaceTable = `
CREATE TABLE IF NOT EXISTS reserved_network_interface (
  network_interface TEXT PRIMARY KEY,
  machine TEXT NOT NULL,
  until INTEGER NOT NULL
) WITHOUT ROWID;
`

/** Reserves the interfaces for a machine. Until then, no other machine can use them and they cannot be deleted. */
export function reserveNetworkInterfaces(
  cloud: AzureCloud,
  machineId: string,
  networkInterfaces: readonly string[],
  now: number,
): void {
  const until = now + RESERVED * cloud.operations.latency * 1000
  for (const networkInterface of networkInterfaces) {
    cloud.database.run(
      `INSERT INTO reserved_network_interface (network_interface, machine, until) VALUES (?, ?, ?)
       ON CONFLICT (network_interface) DO UPDATE SET machine = excluded.machine, until = excluded.until`,
      keyOf(networkInterface),
      machineId,
      Math.ceil(until),
    )
  }
}

/**
 * Azure's refusal is quoted in taskcluster#7196 (for another machine) and in gardenlinux#4133 (for a removal). `machine` is
 * the requesting machine.
 */
export function refuseReserved(
  cloud: AzureCloud,
  networkInterface: Resource,
  machine: string | null,
  now: number,
): void {
  const reservation = cloud.database.one<{ machine: string }>(
    'SELECT machine FROM reserved_network_interface WHERE network_interface = ? AND until > ?',
    networkInterface.key,
    now,
  )
  if (reservation === undefined || (machine !== null && keyOf(reservation.machine) === keyOf(machine))) return
  throw new Refusal(
    400,
    'NicReservedForAnotherVm',
    `Nic(s) in request is reserved for another Virtual Machine for 180 seconds. Please provide another nic(s) or retry after 180 seconds. Reserved VM: ${reservation.machine}`,
  )
}

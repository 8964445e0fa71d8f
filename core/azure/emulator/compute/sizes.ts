import { invalidParameter } from '../arm/refusal.ts'
import type { MachineBody } from './machine-body.ts'

/** Memory is in GiB. */
export interface Size {
  readonly name: string
  readonly family: string
  readonly tier: string
  readonly cores: number
  readonly memory: number
}

type Series = readonly [family: string, pattern: string, memoryPerCore: number, cores: readonly number[]]

/** `#` in a pattern is the number of cores. */
const series: readonly Series[] = [
  ['standardDSv3Family', 'Standard_D#s_v3', 4, [2, 4, 8, 16, 32, 48, 64]],
  ['standardDv3Family', 'Standard_D#_v3', 4, [2, 4, 8, 16, 32, 48, 64]],
  ['standardDv4Family', 'Standard_D#_v4', 4, [2, 4, 8, 16, 32, 48, 64]],
  ['standardDSv4Family', 'Standard_D#s_v4', 4, [2, 4, 8, 16, 32, 48, 64]],
  ['standardDDSv4Family', 'Standard_D#ds_v4', 4, [2, 4, 8, 16, 32, 48, 64]],
  ['standardDSv5Family', 'Standard_D#s_v5', 4, [2, 4, 8, 16, 32, 48, 64, 96]],
  ['standardDDSv5Family', 'Standard_D#ds_v5', 4, [2, 4, 8, 16, 32, 48, 64, 96]],
  ['standardDASv5Family', 'Standard_D#as_v5', 4, [2, 4, 8, 16, 32, 48, 64, 96]],
  ['standardDCASv5Family', 'Standard_DC#as_v5', 4, [2, 4, 8, 16, 32, 48, 64, 96]],
  ['standardDCESv5Family', 'Standard_DC#es_v5', 4, [2, 4, 8, 16, 32, 48, 64, 96]],
  ['standardESv3Family', 'Standard_E#s_v3', 8, [2, 4, 8, 16, 20, 32, 48]],
  ['standardESv5Family', 'Standard_E#s_v5', 8, [2, 4, 8, 16, 20, 32, 48, 64, 96]],
  ['standardFSv2Family', 'Standard_F#s_v2', 2, [2, 4, 8, 16, 32, 48, 64, 72]],
]

const single: readonly Size[] = [
  size('Standard_DS1_v2', 'standardDSv2Family', 1, 3.5),
  size('Standard_DS2_v2', 'standardDSv2Family', 2, 7),
  size('Standard_DS3_v2', 'standardDSv2Family', 4, 14),
  size('Standard_DS4_v2', 'standardDSv2Family', 8, 28),
  size('Standard_DS5_v2', 'standardDSv2Family', 16, 56),
  size('Standard_D1_v2', 'standardDv2Family', 1, 3.5),
  size('Standard_D2_v2', 'standardDv2Family', 2, 7),
  size('Standard_D3_v2', 'standardDv2Family', 4, 14),
  size('Standard_D4_v2', 'standardDv2Family', 8, 28),
  size('Standard_B1s', 'standardBSFamily', 1, 1),
  size('Standard_B1ms', 'standardBSFamily', 1, 2),
  size('Standard_B2s', 'standardBSFamily', 2, 4),
  size('Standard_B2ms', 'standardBSFamily', 2, 8),
  size('Standard_B4ms', 'standardBSFamily', 4, 16),
  size('Standard_B8ms', 'standardBSFamily', 8, 32),
]

function size(name: string, family: string, cores: number, memory: number): Size {
  return { name, family, tier: 'Standard', cores, memory }
}

export const sizes: readonly Size[] = [
  ...single,
  ...series.flatMap(([family, pattern, perCore, cores]) =>
    cores.map((n) => size(pattern.replace('#', String(n)), family, n, n * perCore)),
  ),
]

const byName = new Map(sizes.map((each) => [each.name.toLowerCase(), each]))

export function sizeNamed(name: string): Size | undefined {
  return byName.get(name.toLowerCase())
}

/** @throws Refusal if the size is missing or unknown */
export function sizeOf(body: MachineBody): Size {
  const requested = body.properties.hardwareProfile?.vmSize
  if (requested === undefined) {
    throw invalidParameter('hardwareProfile.vmSize', "Required parameter 'hardwareProfile.vmSize' is missing (null).")
  }
  const size = sizeNamed(requested)
  if (size !== undefined) return size
  throw invalidParameter(
    'vmSize',
    `The value ${requested} provided for the VM size is not valid. The valid sizes in the current region are: ${sizes.map(({ name }) => name).join(',')}. Find out more on the valid VM sizes in each region at https://aka.ms/azure-regionservices.`,
  )
}

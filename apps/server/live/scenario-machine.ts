import { randomUUID } from 'node:crypto'
import { ADMIN_USERNAME, makePassword } from '@trainyard/machines/server/credentials.ts'
import type { MachineSpec } from '@trainyard/templates/server/cloud.ts'
import type { ImageName } from './cheapest-size.ts'

export function scenarioMachine(
  at: Pick<MachineSpec, 'name' | 'resourceGroup' | 'location' | 'size'>,
  image: ImageName,
): MachineSpec {
  return {
    ...at,
    id: randomUUID(),
    organisation: 'Trainyard live',
    training: 'Live',
    securityGroup: 'live-ports',
    network: 'live',
    os: 'Linux',
    licence: 'none',
    image: { kind: 'platform', ...image },
    adminUsername: ADMIN_USERNAME,
    adminPassword: makePassword(),
    tags: {},
    disk: { sku: 'StandardSSD_LRS', encryptionSet: null },
    encryptionAtHost: false,
    bootDiagnostics: false,
  }
}

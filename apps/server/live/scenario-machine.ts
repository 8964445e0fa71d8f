import { randomUUID } from 'node:crypto'
import { ADMIN_USERNAME, makePassword } from '@trainyard/machines/server/credentials.ts'
import type { MachineSpec } from '@trainyard/templates/server/cloud.ts'
import type { ImageName } from './cheapest-size.ts'

export function scenarioMachine(
  { name, group, location, size }: Record<'name' | 'group' | 'location' | 'size', string>,
  image: ImageName,
): MachineSpec {
  return {
    name,
    id: randomUUID(),
    organisation: 'Trainyard live',
    training: 'Live',
    securityGroup: 'live-ports',
    place: { group, location, network: 'live' },
    size: { name: size },
    os: 'Linux',
    licence: 'none',
    image: { id: [image.publisher, image.offer, image.sku, image.version].join(':') },
    adminUsername: ADMIN_USERNAME,
    adminPassword: makePassword(),
    tags: {},
  }
}

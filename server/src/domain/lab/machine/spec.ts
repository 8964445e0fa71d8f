import { hasNoPathTraversal } from '@trainyard/contract/words/image-id.ts'
import type { Db } from '../../../db/schema.ts'
import type { MachineRow } from '../../../db/schema/machine.ts'
import type { MachineImage, MachineSpec } from '../../../providers/cloud.ts'
import { CloudError } from '../../../providers/errors.ts'
import type { Seal } from '../../../secrets/seal.ts'
import { passwordToSend } from './credentials.ts'

export async function specOf(db: Db, seal: Seal, machine: MachineRow): Promise<MachineSpec> {
  const { organisation, training } = await db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['organisation.name as organisation', 'training.name as training'])
    .where('training.id', '=', machine.training_id)
    .executeTakeFirstOrThrow()
  return {
    id: machine.id,
    organisation,
    training,
    name: machine.name,
    resourceGroup: machine.resource_group,
    securityGroup: securityGroupName(machine.training_id),
    location: machine.location,
    network: machine.vnet,
    size: machine.vm_size,
    os: machine.os,
    licence: machine.licence,
    image: imageOf(machine),
    adminUsername: machine.admin_username,
    adminPassword: passwordToSend(seal, machine.admin_password!, machine.id),
  }
}

export const securityGroupName = (training: string): string => `training-${training}`

/** @throws CloudError refused */
export function imageOf({
  image_id,
  plan_publisher,
  plan_product,
  plan_version,
}: Pick<MachineRow, 'image_id' | 'plan_publisher' | 'plan_product' | 'plan_version'>): MachineImage {
  // A template may be older than the form's validation, and these values become part of the provider's URLs.
  if (
    ![image_id, ...[plan_publisher, plan_product, plan_version].filter((part) => part !== null)].every(
      hasNoPathTraversal,
    )
  ) {
    throw new CloudError('refused', `The template's image ${image_id} is not a valid image ID.`, null, { final: true })
  }
  if (image_id.includes('/')) return { kind: 'own', id: image_id }
  const [publisher, offer, sku, version = plan_version ?? 'latest'] = image_id.split(':')
  if (publisher === undefined || offer === undefined || sku === undefined) {
    throw new CloudError(
      'refused',
      `The template's image ${image_id} is neither publisher:offer:sku:version nor an ID.`,
      null,
      { final: true },
    )
  }
  if (plan_publisher === null || plan_product === null) return { kind: 'platform', publisher, offer, sku, version }
  const plan = { publisher: plan_publisher, product: plan_product, name: sku }
  return { kind: 'marketplace', publisher, offer, sku, version: plan_version ?? version, plan }
}

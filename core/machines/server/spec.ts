import type { AzureTags } from '@trainyard/platform/contract/words/azure-tags.ts'
import type { OrganisationId } from '@trainyard/platform/contract/words/ids.ts'
import type { Db } from '@trainyard/platform/server/db/schema.ts'
import type { MachineRow } from '../tables.gen.ts'
import type { MachineSpec } from '@trainyard/templates/server/cloud.ts'
import type { Seal } from '@trainyard/platform/server/run/secrets/seal.ts'
import { passwordToSend } from './credentials.ts'
import { networkOf } from './operation/route.ts'

/** @param egress IPv4 prefixes of the portal itself */
export async function specOf(
  db: Db,
  seal: Seal,
  machine: MachineRow,
  egress: readonly string[] = [],
): Promise<MachineSpec> {
  const { organisation, training, tags } = await db
    .selectFrom('training')
    .innerJoin('organisation', 'organisation.id', 'training.organisation_id')
    .select(['organisation.name as organisation', 'training.name as training', 'organisation.azure_tags as tags'])
    .where('training.id', '=', machine.training_id)
    .executeTakeFirstOrThrow()
  return {
    id: machine.id,
    organisation,
    training,
    name: machine.name,
    place: machine.place,
    securityGroup: securityGroupName(machine.training_id),
    addressKind: machine.address_kind,
    privateRanges: (await networkOf(db, machine.id))?.ranges ?? [],
    managementSources: await managementSourcesOf(db, machine.organisation_id, {
      egress,
      isPrivate: machine.address_kind === 'private address',
    }),
    size: machine.size,
    os: machine.os,
    licence: machine.licence,
    image: machine.image,
    adminUsername: machine.admin_username,
    adminPassword: passwordToSend(seal, machine.admin_password!, machine.id),
    tags: tagsFor(machine.azure_tags, tags),
  }
}

export async function tagsOf(db: Db, { azure_tags, organisation_id }: MachineRow): Promise<AzureTags> {
  const organisation = await db
    .selectFrom('organisation')
    .select('azure_tags')
    .where('id', '=', organisation_id)
    .executeTakeFirstOrThrow()
  return tagsFor(azure_tags, organisation.azure_tags)
}

/**
 * Returns the tags of the template and of the organisation. The organisation's tags take precedence. Azure ignores case
 * in the names of tags.
 */
export function tagsFor(ofTemplate: AzureTags, ofOrganisation: AzureTags): AzureTags {
  const names = new Set(Object.keys(ofOrganisation).map((name) => name.toLowerCase()))
  const others = Object.entries(ofTemplate).filter(([name]) => !names.has(name.toLowerCase()))
  return { ...Object.fromEntries(others), ...ofOrganisation }
}

/**
 * Returns the sources that may connect to SSH and remote desktop: the portal, and the sources of the organisation.
 * Machines in a private network accept their whole network, which contains the gateway.
 */
export async function managementSourcesOf(
  db: Db,
  organisation: OrganisationId,
  { egress, isPrivate }: { readonly egress: readonly string[]; readonly isPrivate: boolean },
): Promise<readonly string[]> {
  const { management_sources: own } = await db
    .selectFrom('organisation')
    .select('management_sources')
    .where('id', '=', organisation)
    .executeTakeFirstOrThrow()
  const portal = isPrivate ? ['VirtualNetwork'] : egress
  const sources = [...portal, ...(own ?? [])]
  return sources.length === 0 ? ['*'] : sources
}

export const securityGroupName = (training: string): string => `training-${training}`

import { EXPIRY_ADVICE, expiryText, expiryWarning } from '@trainyard/lab-users/contract/expiry.ts'
import type { CloudDiagnosis, PolicyDenial } from './cloud-diagnosis.ts'
import type { Offers } from '@trainyard/templates/server/cloud.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { parseAzureNetworkId } from './azure-network-id.ts'
import { CloudError } from '@trainyard/platform/server/providers/errors.ts'
import { lackAt, NETWORK_ACTIONS, SUBNET_ACTIONS } from './azure-permissions.ts'
import type { Defect } from '@trainyard/platform/server/doctor/check.ts'
import type { AzureNeeds } from './azure-needs.ts'
import { namesOf, templatesBy } from '@trainyard/machines/server/template-needs.ts'

/** Returns one problem for each policy, with the kinds of resources that it denies. */
export async function policyProblems(
  diagnosis: Pick<CloudDiagnosis, 'deniedByPolicy' | 'group'>,
  spec: AzureMachineSpec,
  of: string,
  signal: AbortSignal,
): Promise<Defect[]> {
  const exists = (await diagnosis.group(spec.resourceGroup, signal)) !== null
  const denials = await diagnosis.deniedByPolicy(spec, exists, signal)
  return [...Map.groupBy(denials, ({ policy }) => policy)].map(([policy, each]) => ({
    what: `The policy '${policy}' will deny ${namesOf(each.map(({ kind }) => kind))} of ${of}.`,
    todo: adviceFor(each),
  }))
}

function adviceFor(denials: readonly PolicyDenial[]): string {
  const fields = [...new Set(denials.flatMap((denial) => denial.fields))]
  const tag = fields.map((field) => /^tags\[(?:')?(.+?)(?:')?\]$/.exec(field)?.[1]).find((name) => name !== undefined)
  if (tag !== undefined) {
    return `Set the tag ${tag}: Organisation Settings, Azure Tags, for each customer, or Azure policies in the template.`
  }
  if (fields.includes('location')) return 'Choose an allowed location in the template.'
  if (fields.some((field) => /publicIPAddress/i.test(field))) {
    return 'Let the template use a private network, or ask for an exemption of its resource group.'
  }
  return `It evaluates ${namesOf(fields)}. Change the template, section Azure policies, or ask for an exemption.`
}

/**
 * Returns true if every size is restricted. Azure reports a region in this way if the region is closed for the
 * subscription.
 */
export const isClosed = ({ sizes }: Offers): boolean =>
  sizes.length > 1 && sizes.every(({ withheld }) => withheld !== null)

const NETWORK_ROLE =
  'Assign the app registration the role Network Contributor there, or a custom role with these actions.'

/**
 * Returns the missing permissions on networks that templates name by resource ID. Such networks are often in another
 * resource group.
 */
export async function networkPermissionProblems(
  diagnosis: Pick<CloudDiagnosis, 'permissionsAt'>,
  templates: readonly AzureNeeds[],
  signal: AbortSignal,
): Promise<Defect[]> {
  const problems: Defect[] = []
  for (const { what: id, of } of templatesBy(templates, ({ network }) => network)) {
    const network = parseAzureNetworkId(id)
    if (network === null) continue
    const label = `the virtual network ${network.name} in the resource group ${network.resourceGroup} (VNet of ${of})`
    const [networkId, subnet] = id.split('/subnets/')
    const missingPermissions = async (scope: string, scopeId: string, actions: readonly string[]) => {
      const granted = await permissionsOrHidden(diagnosis, scopeId, signal)
      // The check of groups and networks reports a missing network.
      if (granted === null) return []
      return granted === 'hidden' ? [hiddenAt(scope, actions)] : lackAt(scope, actions, granted, NETWORK_ROLE)
    }
    if (subnet === undefined) {
      problems.push(...(await missingPermissions(label, id, [...NETWORK_ACTIONS, ...SUBNET_ACTIONS])))
    } else {
      problems.push(...(await missingPermissions(label, networkId!, NETWORK_ACTIONS)))
      problems.push(...(await missingPermissions(`the subnet ${subnet} of ${label}`, id, SUBNET_ACTIONS)))
    }
  }
  return problems
}

async function permissionsOrHidden(
  diagnosis: Pick<CloudDiagnosis, 'permissionsAt'>,
  id: string,
  signal: AbortSignal,
): Promise<Awaited<ReturnType<CloudDiagnosis['permissionsAt']>> | 'hidden'> {
  try {
    return await diagnosis.permissionsAt(id, signal)
  } catch (error) {
    if (error instanceof CloudError && error.kind === 'unauthorised') return 'hidden'
    throw error
  }
}

const hiddenAt = (scope: string, actions: readonly string[]): Defect => ({
  what: `The portal's permissions at ${scope} cannot be listed, so it probably may not: ${namesOf(actions)}.`,
  todo: `${NETWORK_ROLE.slice(0, -1)} and Microsoft.Authorization/permissions/read.`,
})

/** Returns a problem for each secret or certificate that expires within 30 days. */
export function expiryProblems(
  credentials: readonly { readonly what: string; readonly endsAt: Date }[],
  now: Date,
): Defect[] {
  return credentials.flatMap(({ what, endsAt }) => {
    const days = Math.floor((endsAt.getTime() - now.getTime()) / 86_400_000)
    if (expiryWarning(days) === null) return []
    return [{ what: expiryText(what, days, endsAt.toISOString().slice(0, 10)), todo: EXPIRY_ADVICE }]
  })
}

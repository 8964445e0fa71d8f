import { EXPIRY_ADVICE, expiryText, expiryWarning } from '@trainyard/contract/words/expiry.ts'
import type { CloudDiagnosis, PolicyDenial } from '../providers/cloud-diagnosis.ts'
import type { MachineSpec, Offers } from '../providers/cloud.ts'
import type { Defect } from './check.ts'
import { namesOf } from './templates.ts'

/** Returns one problem for each policy, with the kinds of resources that it denies. */
export async function policyProblems(
  diagnosis: Pick<CloudDiagnosis, 'deniedByPolicy' | 'group'>,
  spec: MachineSpec,
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

/** Returns true if every size is restricted, which is how Azure reports a region that is closed for the subscription. */
export const isClosed = ({ sizes }: Offers): boolean =>
  sizes.length > 1 && sizes.every(({ withheld }) => withheld !== null)

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

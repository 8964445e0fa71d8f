import { parseAzureNetworkId } from './azure-network-id.ts'
import { PolicyClient } from '@azure/arm-policy'
import { PolicyInsightsClient, type PolicyEvaluationResult } from '@azure/arm-policyinsights'
import type { AzureMachineSpec } from './azure-spec.ts'
import type { PolicyDenial } from './cloud-diagnosis.ts'
import { call } from './calls.ts'
import { type AzureSettings, clientOptions } from './clients.ts'
import { nullIfAbsent } from './errors.ts'
import { machineBody } from './machine-body.ts'
import { addressName, machineTags, networkInterfaceName, sharedTags } from './names.ts'

/** Resource in the form that Azure's policies evaluate: with `properties`, unlike the SDK's flat types. */
interface Content {
  readonly kind: string
  readonly apiVersion: string
  readonly content: Record<string, unknown>
}

/**
 * Returns a function that evaluates the policies of the subscription against the resources of a machine, without
 * creating them.
 */
export function policyCheck(settings: AzureSettings) {
  const { subscriptionId, credential } = settings
  const insights = new PolicyInsightsClient(credential, subscriptionId, clientOptions(settings))
  const policy = new PolicyClient(credential, subscriptionId, clientOptions(settings))

  return async (
    spec: AzureMachineSpec,
    groupExists: boolean,
    signal: AbortSignal,
  ): Promise<readonly PolicyDenial[]> => {
    const denials: PolicyDenial[] = []
    for (const { kind, apiVersion, content } of contentsOf(spec, groupExists, subscriptionId)) {
      const body = { resourceDetails: { resourceContent: content, apiVersion } }
      const { body: result } = await call('evaluate the policies', signal, (options) =>
        groupExists
          ? insights.policyRestrictions.checkAtResourceGroupScope(spec.resourceGroup, body, options)
          : insights.policyRestrictions.checkAtSubscriptionScope(body, options),
      )
      const evaluations = result.contentEvaluationResult?.policyEvaluations ?? []
      for (const evaluation of evaluations.filter(denies)) {
        denials.push({ kind, policy: await nameOf(evaluation, signal), fields: fieldsOf(evaluation) })
      }
    }
    return denials
  }

  /** Returns the name of the policy assignment, because the evaluation contains only its ID. */
  async function nameOf({ policyInfo }: PolicyEvaluationResult, signal: AbortSignal): Promise<string> {
    const id = policyInfo?.policyAssignmentId ?? ''
    // The client adds the first slash of the ID.
    const assignment = await nullIfAbsent(() =>
      call('read a policy assignment', signal, (options) =>
        policy.policyAssignments.getById(id.replace(/^\//, ''), options),
      ),
    )
    return assignment?.body.displayName ?? id.split('/').at(-1) ?? id
  }
}

const denies = ({ evaluationResult, effectDetails }: PolicyEvaluationResult): boolean =>
  evaluationResult === 'NonCompliant' && /^deny$/i.test(effectDetails?.policyEffect ?? '')

const fieldsOf = ({ evaluationDetails }: PolicyEvaluationResult): readonly string[] =>
  (evaluationDetails?.evaluatedExpressions ?? []).flatMap(({ path }) => path ?? []).filter((path) => path !== 'type')

function contentsOf(spec: AzureMachineSpec, groupExists: boolean, subscriptionId: string): Content[] {
  const { location, resourceGroup } = spec
  const network = `/subscriptions/${subscriptionId}/resourceGroups/${resourceGroup}/providers/Microsoft.Network`
  const shared = { ...spec.tags, ...sharedTags }
  const own = machineTags(spec)
  const { location: _location, tags: _tags, plan: _plan, ...properties } = machineBody(spec, `${network}/nic`, null)
  const isPrivate = spec.addressKind === 'private address'
  const publicIPAddress = isPrivate ? undefined : { id: `${network}/publicIPAddresses/${addressName(spec)}` }
  const resourceOf = (kind: string, type: string, apiVersion: string, content: Record<string, unknown>): Content => ({
    kind,
    apiVersion,
    content: { type, location, ...content },
  })
  return [
    ...(groupExists
      ? []
      : [
          resourceOf('the resource group', 'Microsoft.Resources/subscriptions/resourceGroups', '2024-11-01', {
            name: resourceGroup,
            tags: shared,
          }),
        ]),
    // The portal does not change existing networks, so they are not evaluated.
    ...(isPrivate || parseAzureNetworkId(spec.network) !== null
      ? []
      : [
          resourceOf('virtual networks', 'Microsoft.Network/virtualNetworks', '2024-05-01', {
            name: spec.network,
            tags: shared,
          }),
        ]),
    resourceOf('security groups', 'Microsoft.Network/networkSecurityGroups', '2024-05-01', {
      name: spec.securityGroup,
      tags: shared,
    }),
    ...(isPrivate
      ? []
      : [
          resourceOf('public addresses', 'Microsoft.Network/publicIPAddresses', '2024-05-01', {
            name: addressName(spec),
            tags: own,
            properties: { publicIPAllocationMethod: 'Static' },
          }),
        ]),
    resourceOf('network interfaces', 'Microsoft.Network/networkInterfaces', '2024-05-01', {
      name: networkInterfaceName(spec),
      tags: own,
      properties: { ipConfigurations: [{ name: 'primary', properties: { publicIPAddress } }] },
    }),
    resourceOf('machines', 'Microsoft.Compute/virtualMachines', '2024-07-01', {
      name: spec.name,
      tags: own,
      properties,
    }),
  ]
}

import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { subscriptionId } from '../arm/ids.ts'
import { param, paths, versions, type Call, type Operation } from '../arm/operation.ts'
import { readBody } from '../arm/read-body.ts'
import { Refusal } from '../arm/refusal.ts'
import { type Governance, governanceIn } from './governance.ts'
import { requireGroup } from '../groups/existing-group.ts'

export interface EvaluatedResource {
  readonly type: string
  readonly name: string
  readonly location: string | undefined
  readonly tags: Readonly<Record<string, string>>
  readonly properties: Readonly<Record<string, unknown>>
}

interface Expression {
  readonly path: string
  readonly value: unknown
  readonly target: unknown
  readonly operator: string
}

interface Policy {
  /** Name of the assignment, at the subscription. */
  readonly assignment: string
  /** Name and display name of Azure's built-in definition. */
  readonly definition: string
  readonly displayName: string
  readonly parameters: Readonly<Record<string, { readonly value: unknown }>>
  /** Null: the resource complies, or the policy does not apply to its type. */
  violation(resource: EvaluatedResource): Expression | null
}

const groupType = 'Microsoft.Resources/subscriptions/resourceGroups'
const isGroup = ({ type }: EvaluatedResource): boolean => type.toLowerCase() === groupType.toLowerCase()

/** Policies of mode Indexed apply only to types with tags and a location, so not to subnets and rules. */
const indexed = new Set(
  `Microsoft.Compute/virtualMachines Microsoft.Compute/virtualMachines/extensions Microsoft.Compute/disks
  Microsoft.Compute/galleries Microsoft.Compute/galleries/images Microsoft.Compute/galleries/images/versions
  Microsoft.Network/networkInterfaces Microsoft.Network/publicIPAddresses Microsoft.Network/networkSecurityGroups
  Microsoft.Network/virtualNetworks`
    .toLowerCase()
    .split(/\s+/),
)
const isIndexed = ({ type }: EvaluatedResource): boolean => indexed.has(type.toLowerCase())

function policiesOf({ noPublicAddresses, requiredTags, allowedLocations }: Governance): Policy[] {
  return [
    ...(noPublicAddresses ? [noPublicAddressPolicy] : []),
    ...requiredTags.flatMap((tag) => [
      tagPolicy(tag, '871b6d14-10aa-478d-b590-94f262ecfa99', 'Require a tag on resources', isIndexed),
      tagPolicy(tag, '96670d01-0a4d-4649-9c89-2d3abc0a5025', 'Require a tag on resource groups', isGroup),
    ]),
    ...(allowedLocations === null
      ? []
      : [
          locationPolicy(allowedLocations, 'e56962a6-4747-49cd-b67b-bf8b01975c4c', 'Allowed locations', isIndexed),
          locationPolicy(
            allowedLocations,
            'e765b5de-1225-4ba3-bd56-1ac6695af988',
            'Allowed locations for resource groups',
            isGroup,
          ),
        ]),
  ]
}

const noPublicAddressPolicy: Policy = {
  assignment: 'deny-public-ip-on-nic',
  definition: '83a86a26-fd1f-447c-b59d-e51f44264114',
  displayName: 'Network interfaces should not have public IPs',
  parameters: {},
  violation({ type, properties }) {
    if (type.toLowerCase() !== 'microsoft.network/networkinterfaces') return null
    const path = 'properties.ipConfigurations[*].properties.publicIPAddress.id'
    const configurations = configurationsShape.safeParse(properties).data?.ipConfigurations ?? []
    const value = configurations.find((each) => each.properties?.publicIPAddress !== undefined)?.properties
      ?.publicIPAddress?.id
    return value === undefined ? null : { path, value, target: '*', operator: 'NotLike' }
  },
}

const configurationsShape = z.looseObject({
  ipConfigurations: z
    .array(
      z.looseObject({
        properties: z
          .looseObject({ publicIPAddress: z.looseObject({ id: z.string().default('') }).optional() })
          .optional(),
      }),
    )
    .optional(),
})

const tagPolicy = (
  tag: string,
  definition: string,
  displayName: string,
  applies: (resource: EvaluatedResource) => boolean,
): Policy => ({
  assignment: `require-${tag}-${definition.slice(0, 8)}`.toLowerCase(),
  definition,
  displayName,
  parameters: { tagName: { value: tag } },
  violation(resource) {
    // Azure compares names of tags case-insensitively.
    const hasTag = Object.keys(resource.tags).some((name) => name.toLowerCase() === tag.toLowerCase())
    if (!applies(resource) || hasTag) return null
    return { path: `tags[${tag}]`, value: null, target: 'false', operator: 'Exists' }
  },
})

const locationPolicy = (
  allowed: readonly string[],
  definition: string,
  displayName: string,
  applies: (resource: EvaluatedResource) => boolean,
): Policy => ({
  assignment: `allowed-locations-${definition.slice(0, 8)}`,
  definition,
  displayName,
  parameters: { listOfAllowedLocations: { value: allowed } },
  violation(resource) {
    const location = resource.location?.toLowerCase().replaceAll(' ', '')
    if (!applies(resource) || location === undefined || location === 'global' || allowed.includes(location)) return null
    return { path: 'location', value: location, target: allowed, operator: 'NotIn' }
  },
})

const assignmentType = 'Microsoft.Authorization/policyAssignments'
const assignmentId = (subscription: string, { assignment }: Policy): string =>
  `${subscriptionId(subscription)}/providers/${assignmentType}/${assignment}`
const definitionId = ({ definition }: Policy): string =>
  `/providers/Microsoft.Authorization/policyDefinitions/${definition}`

const expressionsOf = ({ type }: EvaluatedResource, { path, value, target, operator }: Expression): object[] => [
  { result: 'True', expressionKind: 'Field', expression: 'type', path: 'type', expressionValue: type },
  {
    result: 'True',
    expressionKind: 'Field',
    expression: path,
    path,
    ...(value === null ? {} : { expressionValue: value }),
    targetValue: target,
    operator,
  },
]

/**
 * Format of the refusal: MicrosoftDocs, automation/enforce-job-execution-hybrid-worker.
 * @throws Refusal if a policy of the subscription denies the resource
 */
export function refuseDisallowed(governance: Governance, subscription: string, resource: EvaluatedResource): void {
  const violated = policiesOf(governance).flatMap((policy) => {
    const expression = policy.violation(resource)
    return expression === null ? [] : [{ policy, expression }]
  })
  if (violated.length === 0) return
  const reasons = governance.reason === null ? '' : ` Reasons: '${governance.reason}'.`
  throw new Refusal(
    403,
    'RequestDisallowedByPolicy',
    `Resource '${resource.name}' was disallowed by policy.${reasons} See error details for policy resource IDs.`,
    {
      target: resource.name,
      additionalInfo: violated.map(({ policy, expression }) => ({
        type: 'PolicyViolation',
        info: {
          evaluationDetails: { evaluatedExpressions: expressionsOf(resource, expression) },
          policyDefinitionId: definitionId(policy),
          policyDefinitionName: policy.definition,
          policyDefinitionDisplayName: policy.displayName,
          policyDefinitionEffect: 'deny',
          policyAssignmentId: assignmentId(subscription, policy),
          policyAssignmentName: policy.assignment,
          policyAssignmentDisplayName: policy.displayName,
          policyAssignmentScope: subscriptionId(subscription),
          policyAssignmentParameters: policy.parameters,
        },
      })),
    },
  )
}

const checkShape = z.looseObject({
  resourceDetails: z.looseObject({
    resourceContent: z.looseObject({
      type: z.string(),
      name: z.string().default(''),
      location: z.string().optional(),
      tags: z.record(z.string(), z.string()).default({}),
      properties: z.record(z.string(), z.unknown()).default({}),
    }),
    apiVersion: z.string().optional(),
    scope: z.string().optional(),
  }),
})

/** Operations that state which policies would deny a resource, without creating it. */
export function policyInsightOperations(cloud: AzureCloud): Operation[] {
  const check = (call: Call) => {
    const { resourceContent: resource } = readBody(call, checkShape).resourceDetails
    const policies = policiesOf(governanceIn(cloud.settings))
    const policyEvaluations = policies.flatMap((policy) => {
      const expression = policy.violation(resource as EvaluatedResource)
      if (expression === null) return []
      return [
        {
          policyInfo: {
            policyDefinitionId: definitionId(policy),
            policyAssignmentId: assignmentId(param(call, 'subscription'), policy),
          },
          evaluationResult: 'NonCompliant',
          evaluationDetails: { evaluatedExpressions: expressionsOf(resource as EvaluatedResource, expression) },
          effectDetails: { policyEffect: 'Deny' },
        },
      ]
    })
    return { status: 200, body: { fieldRestrictions: [], contentEvaluationResult: { policyEvaluations } } }
  }
  const type = 'Microsoft.PolicyInsights/checkPolicyRestrictions'
  const common = { method: 'POST', versions: versions.policyInsights, action: `${type}/read` } as const
  return [
    {
      ...common,
      name: 'PolicyRestrictions_CheckAtSubscriptionScope',
      path: paths.all(type),
      handle: check,
    },
    {
      ...common,
      name: 'PolicyRestrictions_CheckAtResourceGroupScope',
      path: paths.list(type),
      handle: (call) => {
        requireGroup(cloud, call)
        return check(call)
      },
    },
    {
      name: 'PolicyAssignments_GetAtSubscription',
      method: 'GET',
      path: `${paths.all(assignmentType)}/:name`,
      versions: versions.policy,
      handle: (call) => {
        const name = param(call, 'name')
        const subscription = param(call, 'subscription')
        const policy = policiesOf(governanceIn(cloud.settings)).find(({ assignment }) => assignment === name)
        if (policy === undefined) {
          throw new Refusal(404, 'PolicyAssignmentNotFound', `The policy assignment '${name}' is not found.`)
        }
        const { displayName, parameters } = policy
        return {
          status: 200,
          body: {
            id: assignmentId(subscription, policy),
            type: assignmentType,
            name,
            properties: {
              displayName,
              parameters,
              policyDefinitionId: definitionId(policy),
              scope: subscriptionId(subscription),
              enforcementMode: 'Default',
            },
          },
        }
      },
    },
  ]
}

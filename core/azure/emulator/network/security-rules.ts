import { networkRefusal } from '../arm/refusal.ts'
import { z } from 'zod'
import type { AzureCloud } from '../cloud.ts'
import { keyOf } from '../arm/ids.ts'
import type { Call, Operation } from '../arm/operation.ts'
import { without } from '../arm/read-body.ts'
import type { Resource } from '../arm/resources.ts'
import { emptyRanges } from './default-rules.ts'
import { partOperations, upsertPart } from './network-parts.ts'
import { etag, refuseBadName } from './network-resource.ts'

export const securityGroupType = 'Microsoft.Network/networkSecurityGroups'
const ruleType = 'Microsoft.Network/networkSecurityGroups/securityRules'

const caseInsensitiveEnum = (...values: string[]) =>
  z.string().refine((value) => values.some((each) => each.toLowerCase() === value.toLowerCase()), {
    error: `one of ${values.join(', ')}`,
  })

export const ruleShape = z.looseObject({
  name: z.string().optional(),
  properties: z.looseObject({
    protocol: caseInsensitiveEnum('Tcp', 'Udp', 'Icmp', 'Esp', 'Ah', '*'),
    access: caseInsensitiveEnum('Allow', 'Deny'),
    direction: caseInsensitiveEnum('Inbound', 'Outbound'),
    priority: z.int().optional(),
    sourcePortRange: z.string().optional(),
    sourcePortRanges: z.array(z.string()).optional(),
    destinationPortRange: z.string().optional(),
    destinationPortRanges: z.array(z.string()).optional(),
  }),
})

type RuleBody = z.infer<typeof ruleShape>

export function ruleView(rule: Resource): unknown {
  return {
    id: rule.id,
    name: rule.name,
    type: ruleType,
    etag: etag(rule),
    properties: { ...emptyRanges, ...rule.doc, provisioningState: rule.state },
  }
}

export function putRule(
  cloud: AzureCloud,
  call: Call,
  securityGroup: Resource,
  name: string,
  body: RuleBody,
): { key: string; isNew: boolean } {
  refuseBadName(name)
  const id = `${securityGroup.id}/securityRules/${name}`
  const properties = without(body.properties, 'provisioningState')
  refuseBadPriority(cloud, securityGroup, keyOf(id), name, properties)
  refuseBadPorts(name, 'Source', properties.sourcePortRange, properties.sourcePortRanges)
  refuseBadPorts(name, 'Destination', properties.destinationPortRange, properties.destinationPortRanges)
  return upsertPart(cloud, call, securityGroup, { id, type: ruleType, name, doc: properties })
}

function refuseBadPriority(
  cloud: AzureCloud,
  securityGroup: Resource,
  key: string,
  name: string,
  { priority, direction }: RuleBody['properties'],
): void {
  if (priority === undefined || priority < 100 || priority > 4096) {
    throw networkRefusal(
      400,
      'SecurityRuleInvalidPriority',
      `Security rule ${name} has invalid Priority. Value provided: ${priority ?? 'none'} Allowed range 100-4096.`,
    )
  }
  for (const other of cloud.resources.parts(securityGroup.key)) {
    if (other.key === key || other.doc.priority !== priority || other.state === 'Deleting') continue
    if (String(other.doc.direction).toLowerCase() !== direction.toLowerCase()) continue
    throw networkRefusal(
      400,
      'SecurityRuleConflict',
      `Security rule ${name} conflicts with rule ${other.name}. Rules cannot have the same Priority and Direction.`,
    )
  }
}

function refuseBadPorts(
  name: string,
  side: string,
  singleRange: string | undefined,
  ranges: string[] | undefined,
): void {
  const ports = [...(singleRange === undefined || singleRange === '' ? [] : [singleRange]), ...(ranges ?? [])]
  const bad = ports.length === 0 ? 'none' : ports.find((range) => !isPortRange(range))
  if (bad === undefined) return
  throw networkRefusal(
    400,
    'SecurityRuleInvalidPortRange',
    `Security rule ${name} has invalid ${side} port range. Value provided: ${bad}. Value should be an integer OR integer range with '-' delimiter. Valid range 0-65535.`,
  )
}

function isPortRange(range: string): boolean {
  if (range === '*') return true
  const match = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range)
  if (match === null) return false
  const first = Number(match[1])
  const last = Number(match[2] ?? match[1])
  return first <= last && last <= 65_535
}

export function securityRuleOperations(cloud: AzureCloud): Operation[] {
  return partOperations(cloud, {
    wholeType: securityGroupType,
    segment: 'securityRules',
    operations: 'SecurityRules',
    shape: ruleShape,
    view: ruleView,
    put: (call, securityGroup, name, body) => putRule(cloud, call, securityGroup, name, body),
    refuseRemoval: () => {},
  })
}

import { z } from 'zod'
import type { AzureCloud } from '#src/azure/cloud.ts'
import { keyOf } from '#src/azure/arm/ids.ts'
import { at, param, versions, type Call, type Operation } from '#src/azure/arm/operation.ts'
import { readBody, without } from '#src/azure/arm/read-body.ts'
import { childNotFound } from '#src/azure/arm/refusal.ts'
import type { Resource } from '#src/azure/arm/resources.ts'
import { openGroup } from '#src/azure/groups/existing-group.ts'
import { existingResource } from '#src/azure/groups/existing-resource.ts'
import { noRanges } from '#src/azure/network/default-rules.ts'
import { etag, refuseBadName, refuseWhileAtWork, removal, written } from '#src/azure/network/network-resource.ts'
import { networkRefusal } from '#src/azure/network/network-refusal.ts'

export const securityGroupType = 'Microsoft.Network/networkSecurityGroups'
const ruleType = 'Microsoft.Network/networkSecurityGroups/securityRules'

const oneOf = (...values: string[]) =>
  z.string().refine((value) => values.some((one) => one.toLowerCase() === value.toLowerCase()), {
    error: `one of ${values.join(', ')}`,
  })

export const ruleShape = z.looseObject({
  name: z.string().optional(),
  properties: z.looseObject({
    protocol: oneOf('Tcp', 'Udp', 'Icmp', 'Esp', 'Ah', '*'),
    access: oneOf('Allow', 'Deny'),
    direction: oneOf('Inbound', 'Outbound'),
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
    properties: { ...noRanges, ...rule.doc, provisioningState: rule.state },
  }
}

/** Makes the rule or changes it; says whether it was made. */
export function putRule(
  cloud: AzureCloud,
  call: Call,
  securityGroup: Resource,
  name: string,
  body: RuleBody,
): { key: string; made: boolean } {
  refuseBadName(name)
  const id = `${securityGroup.id}/securityRules/${name}`
  const key = keyOf(id)
  const properties = without(body.properties, 'provisioningState')
  refuseBadPriority(cloud, securityGroup, key, name, properties)
  refuseBadPorts(name, 'Source', properties.sourcePortRange, properties.sourcePortRanges)
  refuseBadPorts(name, 'Destination', properties.destinationPortRange, properties.destinationPortRanges)
  const before = cloud.resources.find(key)
  if (before === undefined) {
    cloud.resources.add(
      {
        id,
        type: ruleType,
        subscription: securityGroup.subscription,
        group: securityGroup.group,
        parent: securityGroup.key,
        name,
        state: 'Updating',
        location: securityGroup.location,
        doc: properties,
      },
      call.now,
    )
  } else {
    cloud.resources.change(key, { doc: properties, state: 'Updating' })
  }
  return { key, made: before === undefined }
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

function refuseBadPorts(name: string, side: string, one: string | undefined, many: string[] | undefined): void {
  const ports = [...(one === undefined || one === '' ? [] : [one]), ...(many ?? [])]
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
  const common = { path: at.child(securityGroupType, 'securityRules'), versions: versions.network }
  const find = (call: Call): Resource | undefined =>
    cloud.resources.find(
      keyOf(`${existingResource(cloud, call, securityGroupType).id}/securityRules/${param(call, 'child')}`),
    )
  return [
    {
      ...common,
      name: 'SecurityRules_CreateOrUpdate',
      method: 'PUT',
      handle: (call) => {
        openGroup(cloud, call)
        const securityGroup = existingResource(cloud, call, securityGroupType)
        refuseWhileAtWork(cloud, securityGroup.id)
        const { key, made } = putRule(cloud, call, securityGroup, param(call, 'child'), readBody(call, ruleShape))
        return written(cloud, call, securityGroup.key, made, ruleView, key)
      },
    },
    {
      ...common,
      name: 'SecurityRules_Get',
      method: 'GET',
      handle: (call) => {
        const found = find(call)
        if (found === undefined) throw childNotFound(call.path)
        return { status: 200, body: ruleView(found) }
      },
    },
    {
      ...common,
      name: 'SecurityRules_List',
      path: at.children(securityGroupType, 'securityRules'),
      method: 'GET',
      handle: (call) => ({
        status: 200,
        body: { value: cloud.resources.parts(existingResource(cloud, call, securityGroupType).key).map(ruleView) },
      }),
    },
    {
      ...common,
      name: 'SecurityRules_Delete',
      method: 'DELETE',
      handle: (call) => {
        const found = find(call)
        if (found === undefined) return { status: 204 }
        const securityGroup = existingResource(cloud, call, securityGroupType)
        refuseWhileAtWork(cloud, securityGroup.id)
        return removal(cloud, call, found, securityGroup)
      },
    },
  ]
}

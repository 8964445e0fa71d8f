/** Returns the ID in lower case. Azure preserves the case of IDs but compares them case-insensitively. */
export function keyOf(id: string): string {
  return id.toLowerCase()
}

export function subscriptionId(subscription: string): string {
  return `/subscriptions/${subscription}`
}

export function groupId(subscription: string, group: string): string {
  return `${subscriptionId(subscription)}/resourceGroups/${group}`
}

export function resourceId(subscription: string, group: string, type: string, name: string): string {
  return `${groupId(subscription, group)}/providers/${type}/${name}`
}

/** Returns the ID as in Azure's lists of machines: the resource group is in upper case (recorded). */
export function listedId(id: string): string {
  return id.replace(/(?<=\/resourceGroups\/)[^/]+/i, (group) => group.toUpperCase())
}

export function nameIn(id: string): string {
  return id.slice(id.lastIndexOf('/') + 1)
}

export interface ParsedResourceId {
  readonly subscription: string
  readonly group: string
  readonly type: string
  readonly name: string
}

export function parseResourceId(id: string): ParsedResourceId | undefined {
  const match = /^\/subscriptions\/([^/]+)\/resourcegroups\/([^/]+)\/providers\/([^/]+\/[^/]+)\/([^/]+)/i.exec(id)
  if (match === null) return undefined
  const [, subscription = '', group = '', type = '', name = ''] = match
  return { subscription, group, type, name }
}

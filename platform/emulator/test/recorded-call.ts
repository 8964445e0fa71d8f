/** Type of a recorded request, independent of the case, subscription and names in its path. */
export interface RecordedCall {
  /** Type without namespace, with child types after a slash: `networkSecurityGroups/securityRules`. */
  readonly kind: string
  /** Namespace of the type. null for groups, subscriptions and Graph. */
  readonly namespace: string | null
  /**
   * Method and type, with `list` for lists and the action after a slash: `GET disks list`, `POST
   * virtualMachines/start`.
   */
  readonly operation: string
  /** True for polls of long-running operations, which the published interface lacks. */
  readonly isPoll: boolean
}

/** Types in Azure's spelling. Recordings have them in any case. */
const KINDS = new Map(
  `virtualMachines virtualMachineScaleSets disks galleries images versions extensions skus usages locations publishers
  networkInterfaces networkSecurityGroups securityRules publicIPAddresses virtualNetworks subnets operations
  operationResults DiskOperations capsOperations resourceGroups roleAssignments roleDefinitions policyAssignments
  policyDefinitions powerOff deallocate instanceView vmSizes`
    .split(/\s+/)
    .map((name) => [name.toLowerCase(), name]),
)

const canonical = (name: string): string => KINDS.get(name.toLowerCase()) ?? name

export function callOf(method: string, path: string): RecordedCall {
  const [pathname = ''] = path.split('?')
  const { namespace, types, named } = partsOf(pathname)
  const kind = types.map(canonical).join('/')
  const list = method === 'GET' && !named ? ' list' : ''
  return {
    kind,
    namespace,
    operation: `${method} ${kind}${list}`,
    isPoll: /^locations\/(Disk|caps)?[Oo]peration(s|Results)$|^operationResults$/.test(kind),
  }
}

/** Returns the types in the path and whether the path ends in a name. */
function partsOf(pathname: string): { namespace: string | null; types: string[]; named: boolean } {
  const graph = /^\/v1\.0\/(?:directory\/)?(.*)$/.exec(pathname)
  if (graph !== null) return { namespace: null, ...splitTypesAndNames(graph[1] ?? '') }
  const provided = /^.*\/providers\/([^/]+)(?:\/(.+))?$/i.exec(pathname)
  if (provided === null) {
    const { types, named } = splitTypesAndNames(pathname.slice(1))
    return { namespace: null, types: types.length > 1 ? types.slice(1).filter(isNoGroup) : types, named }
  }
  const [, namespace = '', rest] = provided
  if (rest === undefined) return { namespace: null, types: ['providers'], named: true }
  if (!rest.includes('/') && /^(un)?register$/i.test(rest)) {
    return { namespace: null, types: ['providers', rest], named: false }
  }
  return { namespace, ...splitTypesAndNames(rest) }
}

/** Returns false for a group in the path of a resource. Only a group alone is a type. */
function isNoGroup(type: string, index: number, all: string[]): boolean {
  return all.length === 1 || index > 0 || !/^resourcegroups$/i.test(type)
}

function splitTypesAndNames(path: string): { types: string[]; named: boolean } {
  const parts = path.split('/')
  return { types: parts.filter((_, index) => index % 2 === 0), named: parts.length % 2 === 0 }
}

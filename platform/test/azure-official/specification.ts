import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import path from 'node:path'

/** Azure's official OpenAPI files for the adapter's operations, relative to `specification/`. */
const FILES = {
  compute: 'compute/resource-manager/Microsoft.Compute/ComputeRP/stable/2024-07-01/virtualMachine.json',
  usages: 'compute/resource-manager/Microsoft.Compute/ComputeRP/stable/2024-07-01/computeRPCommon.json',
  sizes: 'compute/resource-manager/Microsoft.Compute/Skus/stable/2021-07-01/skus.json',
  terms: 'marketplaceordering/resource-manager/Microsoft.MarketplaceOrdering/stable/2021-01-01/Agreements.json',
  disks: 'compute/resource-manager/Microsoft.Compute/DiskRP/stable/2024-03-02/disk.json',
  galleries: 'compute/resource-manager/Microsoft.Compute/GalleryRP/stable/2024-03-03/gallery.json',
  networkInterfaces: 'network/resource-manager/Microsoft.Network/stable/2024-05-01/networkInterface.json',
  addresses: 'network/resource-manager/Microsoft.Network/stable/2024-05-01/publicIpAddress.json',
  securityGroups: 'network/resource-manager/Microsoft.Network/stable/2024-05-01/networkSecurityGroup.json',
  networkUsages: 'network/resource-manager/Microsoft.Network/stable/2024-05-01/usage.json',
  networks: 'network/resource-manager/Microsoft.Network/stable/2024-05-01/virtualNetwork.json',
  groups: 'resources/resource-manager/Microsoft.Resources/stable/2024-11-01/resources.json',
  policies: 'resources/resource-manager/Microsoft.Authorization/stable/2024-05-01/policyAssignments.json',
  roles:
    'authorization/resource-manager/Microsoft.Authorization/stable/2022-04-01/authorization-RoleAssignmentsCalls.json',
} as const

export interface Specification {
  readonly root: string
  readonly files: readonly string[]
  readonly operations: ReadonlyMap<string, OfficialOperation>
}

export interface OfficialOperation {
  readonly id: string
  readonly method: string
  /** Path template: `/subscriptions/{subscriptionId}/...`. */
  readonly path: string
  readonly apiVersion: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  /** False for parts of the contract (disks) that document successes only, although Azure also returns errors. */
  readonly documentsErrors: boolean
  readonly examples: ReadonlyMap<string, OfficialExample>
}

export interface OfficialExample {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly responses: Readonly<Record<string, { readonly body?: unknown; readonly headers?: Record<string, string> }>>
}

export const WHERE_TO_FIND =
  "Azure's official OpenAPI files are not here: put them beside the checkout in shared/azure-openapi, or set AZURE_OPENAPI"

/** Returns the folder of the official files; null if this machine has none. */
export function specificationRoot(): string | null {
  const beside = fileURLToPath(new URL('../../../../shared/azure-openapi', import.meta.url))
  // oxlint-disable-next-line node/no-process-env -- only tests use it; config.ts reads the program's own settings
  const root = process.env['AZURE_OPENAPI'] ?? beside
  return existsSync(path.join(root, 'specification')) ? root : null
}

export function readSpecification(root: string): Specification {
  const files = Object.values(FILES).map((file) => `specification/${file}`)
  const operations = new Map<string, OfficialOperation>()
  for (const file of files) for (const operation of operationsIn(root, file)) operations.set(operation.id, operation)
  return { root, files, operations }
}

interface Swagger {
  readonly info: { readonly version: string }
  readonly paths: Record<string, Record<string, SwaggerOperation>>
  readonly parameters?: Record<string, { readonly name?: string; readonly in?: string }>
}

interface SwaggerOperation {
  readonly operationId?: string
  readonly parameters?: readonly { readonly $ref?: string; readonly name?: string; readonly in?: string }[]
  readonly responses?: Record<string, unknown>
  readonly 'x-ms-examples'?: Record<string, { readonly $ref: string }>
}

function operationsIn(root: string, file: string): OfficialOperation[] {
  const folder = path.dirname(path.join(root, file))
  const swagger = readJson(path.join(root, file)) as Swagger
  return Object.entries(swagger.paths).flatMap(([template, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      if (operation.operationId === undefined) return []
      const examples = Object.entries(operation['x-ms-examples'] ?? {}).map(
        ([name, { $ref }]) => [name, readJson(path.join(folder, $ref)) as OfficialExample] as const,
      )
      return {
        id: operation.operationId,
        method: method.toUpperCase(),
        path: template,
        apiVersion: swagger.info.version,
        parameters: (operation.parameters ?? []).flatMap((parameter) => {
          const own = /^#\/parameters\/(.+)$/.exec(parameter.$ref ?? '')?.[1]
          const { name, in: where } = (own === undefined ? undefined : swagger.parameters?.[own]) ?? parameter
          return name === undefined || where === undefined ? [] : { name, in: where }
        }),
        documentsErrors: 'default' in (operation.responses ?? {}),
        examples: new Map(examples),
      }
    }),
  )
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'))
}

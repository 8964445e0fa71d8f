import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { LiveValidator } from 'oav/dist/lib/liveValidation/liveValidator.js'
import { nameDefinitions } from './name-definitions.ts'
import type { Exchange } from './exchange.ts'

const compute = 'compute/resource-manager/Microsoft.Compute'
const network = 'network/resource-manager/Microsoft.Network/stable/2024-05-01'

const machineFiles = [
  `${compute}/ComputeRP/stable/2024-07-01/virtualMachine.json`,
  `${compute}/ComputeRP/stable/2024-07-01/computeRPCommon.json`,
  `${compute}/ComputeRP/stable/2024-07-01/virtualMachineImage.json`,
  `${compute}/DiskRP/stable/2024-03-02/disk.json`,
  `${compute}/GalleryRP/stable/2024-03-03/gallery.json`,
  `${compute}/Skus/stable/2021-07-01/skus.json`,
  `${network}/networkInterface.json`,
  `${network}/networkSecurityGroup.json`,
  `${network}/publicIpAddress.json`,
  `${network}/usage.json`,
  `${network}/virtualNetwork.json`,
  'resources/resource-manager/Microsoft.Resources/stable/2024-11-01/resources.json',
  'resources/resource-manager/Microsoft.Resources/stable/2022-12-01/subscriptions.json',
  'authorization/resource-manager/Microsoft.Authorization/stable/2022-04-01/authorization-RoleDefinitionsCalls.json',
  'marketplaceordering/resource-manager/Microsoft.MarketplaceOrdering/stable/2021-01-01/Agreements.json',
]

const checkout = resolve(fileURLToPath(import.meta.url), '../../../..')

/** Folder of Azure's OpenAPI files, next to the checkout or set by AZURE_OPENAPI. undefined if it does not exist. */
export const openApi = [process.env.AZURE_OPENAPI, join(checkout, '../shared/azure-openapi')]
  .flatMap((folder) => (folder === undefined || folder === '' ? [] : [join(folder, 'specification')]))
  .find((folder) => existsSync(folder))

export const whyNoOpenApi =
  'the official OpenAPI files are neither next to the checkout nor in the folder AZURE_OPENAPI'

export interface Verdict {
  readonly operation: string
  readonly violations: readonly string[]
}

/** Files of Lab Services, in the folder AZURE_LABSERVICES. */
export const labServicesFiles = [
  'LabPlans',
  'Labs',
  'Users',
  'Schedules',
  'VirtualMachines',
  'Images',
  'Skus',
  'Usages',
].map((name) => `labservices/resource-manager/Microsoft.LabServices/stable/2023-06-07/${name}.json`)

export async function officialValidator(
  root: string,
  files: readonly string[] = machineFiles,
): Promise<(exchange: Exchange) => Promise<Verdict>> {
  const validator = new LiveValidator(
    {
      directory: root,
      swaggerPathsPattern: [...files],
      git: { shouldClone: false },
      loadValidatorInBackground: false,
      isArmCall: true,
    },
    () => {},
  )
  await validator.initialize()
  if (validator.swaggerList.length !== files.length) throw new Error(`Not all official files could be read in ${root}.`)
  nameDefinitions(validator)
  return async (exchange) => {
    const result = await validator.validateLiveRequestResponse({
      liveRequest: {
        url: exchange.url,
        method: exchange.method,
        headers: { ...exchange.requestHeaders },
        ...(exchange.requestBody === undefined
          ? {}
          : { body: JSON.parse(exchange.requestBody) as Record<string, unknown> }),
      },
      liveResponse: {
        statusCode: String(exchange.status),
        headers: { ...exchange.headers },
        body: (exchange.body === '' ? {} : JSON.parse(exchange.body)) as Record<string, unknown>,
      },
    })
    const { requestValidationResult: request, responseValidationResult: reply } = result
    const operation = request.operationInfo.operationId
    const violations = [...request.errors, ...reply.errors].map(
      ({ code, message, pathsInPayload }) => `${operation}: ${code} ${message} at ${pathsInPayload.join(' ')}`,
    )
    const failed = result.runtimeException ?? request.runtimeException ?? reply.runtimeException
    return {
      operation,
      violations: failed === undefined ? violations : [...violations, `${operation}: ${failed.code} ${failed.message}`],
    }
  }
}

export interface Example {
  readonly name: string
  readonly parameters: Record<string, unknown>
}

export function examplesIn(root: string, folder: string, pattern: RegExp): Example[] {
  return readdirSync(join(root, folder))
    .filter((name) => pattern.test(name))
    .map((name) => {
      const { parameters } = JSON.parse(readFileSync(join(root, folder, name), 'utf8')) as Omit<Example, 'name'>
      return { name: name.replace('.json', ''), parameters }
    })
}

export const exampleFolders = {
  compute: `${compute}/ComputeRP/stable/2024-07-01/examples/virtualMachineExamples`,
  galleries: `${compute}/GalleryRP/stable/2024-03-03/examples/galleryExamples`,
  network: `${network}/examples`,
}

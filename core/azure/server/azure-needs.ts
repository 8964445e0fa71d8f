import type { TemplateNeeds } from '@trainyard/machines/server/template-needs.ts'
import type { AzureMachineSpec } from './azure-spec.ts'
import { azureMachineOf } from './azure-machine.ts'

/** Facts about a template that the checks need, in Azure's terms. */
export interface AzureNeeds
  extends Omit<TemplateNeeds, 'examples'>, Pick<AzureMachineSpec, 'location' | 'network' | 'size' | 'image'> {
  readonly group: string
  readonly examples: readonly AzureMachineSpec[]
}

/** @throws CloudError refused if the template's place, size or image is not one of Azure */
export function azureNeeds({ examples, ...template }: TemplateNeeds): AzureNeeds {
  const machines = examples.map(azureMachineOf)
  const { resourceGroup: group, location, network, size, image } = machines[0]!
  return { ...template, group, location, network, size, image, examples: machines }
}

import type { AddressKind } from '@trainyard/platform/contract/words/network.ts'
import type {
  ImageSpec,
  ListedMachine,
  MachineAccount,
  MachineSpec,
  MachineToDelete,
  MachineToRead,
  TaggedMachine,
} from '@trainyard/templates/server/cloud.ts'
import type { AzurePlace, AzureSize } from './place.ts'

/** Name of a resource in a resource group: a machine, or a network security group. */
export interface AzureRef {
  readonly resourceGroup: string
  readonly name: string
}

/** The port's value with the machine named as Azure does. */
type Named<T> = Omit<T, 'place'> & AzureRef

export type AzureMachineToRead = Named<MachineToRead> & { readonly addressKind?: AddressKind }
export type AzureMachineToDelete = Named<MachineToDelete>
export type AzureListedMachine = Named<ListedMachine>
export type AzureTaggedMachine = Named<TaggedMachine>
export type AzureAccount = Named<MachineAccount> & Pick<AzurePlace, 'location'>
export type AzureImageSpec = Named<ImageSpec> & Pick<AzurePlace, 'location'>

export interface AzureMachineSpec
  extends Omit<Named<MachineSpec>, 'size' | 'image'>, Pick<AzurePlace, 'location' | 'network'> {
  readonly size: string
  readonly image: AzureImage
  readonly disk: { readonly sku: AzureSize['disk']; readonly encryptionSet: string | null }
  readonly encryptionAtHost: boolean
  readonly bootDiagnostics: boolean
}

export type AzureImage =
  | {
      readonly kind: 'platform'
      readonly publisher: string
      readonly offer: string
      readonly sku: string
      readonly version: string
    }
  /** A marketplace image with its plan, whose terms must be accepted for the subscription. */
  | {
      readonly kind: 'marketplace'
      readonly publisher: string
      readonly offer: string
      readonly sku: string
      readonly version: string
      readonly plan: Plan
    }
  | { readonly kind: 'own'; readonly id: string }

export interface Plan {
  readonly publisher: string
  readonly product: string
  readonly name: string
}

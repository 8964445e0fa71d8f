/** Values of a provider that other modules store and pass on. Fields that are not named here are the provider's own. */
interface OfProvider {
  readonly [field: string]: unknown
}

/** Place of the machines. */
export interface Place extends OfProvider {
  /** Container in which names of machines are unique, compared without case: a resource group, a project. */
  readonly group: string
  /** Region, host or cluster to which offers and limits belong. */
  readonly location: string
}

export interface Size extends OfProvider {
  /** Name by which the size is offered, priced and measured. */
  readonly name: string
}

export interface ImageReference extends OfProvider {
  /** ID under which the provider lists the image, or the one that a capture returned. */
  readonly id: string
}

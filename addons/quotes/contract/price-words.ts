/** Kinds of items that can have a customer's price. */
export const PRICE_KINDS = ['template', 'size', 'licence'] as const
export type PriceKind = (typeof PRICE_KINDS)[number]

export const PRICE_KIND_LABELS: Readonly<Record<PriceKind, string>> = {
  template: 'Card',
  size: 'VM size',
  licence: 'Licence',
}

/** Rows of a customer's price list, with past and future prices. */
export const PRICES_MAX = 1_000

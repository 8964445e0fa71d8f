import type { SupplierSettings } from '@trainyard/contract/calls/supplier.ts'

/** The supplier's settings with nothing missing that a document must say (rule 46). */
export type ReadySupplier = SupplierSettings & {
  readonly [K in 'legalName' | 'gstin' | 'addressLine1' | 'city' | 'pin' | 'state' | 'signatory' | 'firstMonth']: string
}

const NEEDED = {
  legalName: 'legal name',
  gstin: 'GST number',
  addressLine1: 'address',
  city: 'city',
  pin: 'PIN code',
  state: 'state',
  signatory: 'signatory',
  firstMonth: 'first month to invoice',
} as const

/** Says what is missing before documents can be issued, a sentence each. */
export function supplierProblems(settings: SupplierSettings): string[] {
  const missing = Object.entries(NEEDED)
    .filter(([field]) => settings[field as keyof typeof NEEDED] === null)
    .map(([, name]) => name)
  const { gstin, state, rates } = settings
  return [
    ...(missing.length === 0 ? [] : [`The supplier’s settings lack: ${missing.join(', ')}.`]),
    ...(gstin !== null && state !== null && !gstin.startsWith(state)
      ? ['The supplier’s GST number is of another state than its address.']
      : []),
    ...(rates.length === 0 ? ['The supplier’s settings have no rate of tax.'] : []),
  ]
}

/** Returns the settings where nothing is missing; null otherwise. */
export const readySupplier = (settings: SupplierSettings): ReadySupplier | null =>
  supplierProblems(settings).length === 0 ? (settings as ReadySupplier) : null

/** Returns the rate of tax in force on a day, in hundredths of a per cent; null: none is on record for it. */
export const rateOn = ({ rates }: SupplierSettings, day: string): number | null =>
  rates.filter(({ from }) => from <= day).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]?.basisPoints ?? null

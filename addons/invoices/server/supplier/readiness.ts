import { financialYear } from '@trainyard/ledger/contract/financial-year.ts'
import type { SupplierSettings } from '../../contract/supplier.ts'

/** Supplier with the settings that rule 46 of the CGST Rules requires. */
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

export function supplierProblems(settings: SupplierSettings): string[] {
  const missing = Object.entries(NEEDED)
    .filter(([field]) => settings[field as keyof typeof NEEDED] === null)
    .map(([, name]) => name)
  const { gstin, state, rates } = settings
  return [
    ...(missing.length === 0 ? [] : [`Still missing in the supplier settings: ${missing.join(', ')}.`]),
    ...(gstin !== null && state !== null && !gstin.startsWith(state)
      ? ['The state of the supplier’s GST number differs from the state of its address.']
      : []),
    ...(rates.length === 0 ? ['The supplier settings have no tax rate.'] : []),
  ]
}

export const readySupplier = (settings: SupplierSettings): ReadySupplier | null =>
  supplierProblems(settings).length === 0 ? (settings as ReadySupplier) : null

/**
 * Returns the undertaking (LUT) of the financial year of a day. Null if there is none, so that exports and SEZ supplies
 * bear tax.
 */
export const undertakingOn = ({ undertakings }: Pick<SupplierSettings, 'undertakings'>, day: string): string | null =>
  undertakings.find(({ year }) => year === financialYear(day))?.number ?? null

/** Returns the change to the rate that is in force on a day, or null if there was no other rate before. */
export function rateChangeBefore(
  { rates }: SupplierSettings,
  day: string,
): { readonly from: string; readonly previous: number } | null {
  const [current, previous] = rates.filter(({ from }) => from <= day).toSorted((a, b) => (a.from < b.from ? 1 : -1))
  return current === undefined || previous === undefined || previous.basisPoints === current.basisPoints
    ? null
    : { from: current.from, previous: previous.basisPoints }
}

/** Returns the rate in basis points (hundredths of a per cent); null if none is recorded. */
export const rateOn = ({ rates }: SupplierSettings, day: string): number | null =>
  rates.filter(({ from }) => from <= day).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0]?.basisPoints ?? null

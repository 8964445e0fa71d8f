import {
  ABROAD,
  PLACES_OF_SUPPLY,
  type CustomerPlace,
  type SupplyType,
} from '@trainyard/ledger/contract/tax-document.ts'
import type { TaxHeads } from './tax.ts'

export interface Recipient {
  readonly place: CustomerPlace
  readonly gstin: string | null
  readonly state: string | null
}

export interface Supply {
  readonly type: SupplyType
  readonly place: string
  readonly heads: TaxHeads
  readonly endorsement: string | null
}

/**
 * Returns how a service is taxed. The place of supply is the recipient's state. It is taken from
 * the GST number if the recipient is registered, otherwise from the address on record (IGST Act, section 12(2)). For a
 * recipient abroad, it is outside India. Supplies to an SEZ and
 * exports are always inter-state (sections 7 and 8) and are untaxed under a letter of undertaking (LUT).
 * @param state code of the supplier's state
 */
export function supplyOf(state: string, { place, gstin, state: theirs }: Recipient, undertaking: boolean): Supply {
  const at = place === 'abroad' ? ABROAD : placeOf(gstin, theirs)
  if (place === 'india') {
    return {
      type: gstin === null ? 'B2C' : 'B2B',
      place: at,
      heads: at === state ? 'CGST and SGST' : 'IGST',
      endorsement: null,
    }
  }
  const meantFor = place === 'sez' ? 'SUPPLY TO SEZ UNIT OR SEZ DEVELOPER' : 'SUPPLY MEANT FOR EXPORT'
  const operations = place === 'sez' ? ' FOR AUTHORISED OPERATIONS' : ''
  return {
    type: `${place === 'sez' ? 'SEZ' : 'EXP'}${undertaking ? 'WOP' : 'WP'}`,
    place: at,
    heads: undertaking ? 'none' : 'IGST',
    endorsement: undertaking
      ? `${meantFor}${operations} UNDER BOND OR LETTER OF UNDERTAKING WITHOUT PAYMENT OF INTEGRATED TAX`
      : `${meantFor}${operations} ON PAYMENT OF INTEGRATED TAX`,
  }
}

/**
 * Returns the place of supply. GST numbers of the centre's jurisdiction start with a code that is no place of supply.
 */
function placeOf(gstin: string | null, state: string | null): string {
  const ofNumber = gstin?.slice(0, 2)
  return ofNumber !== undefined && ofNumber in PLACES_OF_SUPPLY ? ofNumber : state!
}

import {
  ABROAD,
  PLACES_OF_SUPPLY,
  type CustomerPlace,
  type SupplyType,
} from '@trainyard/contract/words/tax-document.ts'
import type { TaxHeads } from './tax.ts'

/** The customer as the rules look at it. */
export interface Recipient {
  readonly place: CustomerPlace
  readonly gstin: string | null
  /** Code of the state in its address; null abroad. */
  readonly state: string | null
}

export interface Supply {
  readonly type: SupplyType
  /** Code of the place of supply. */
  readonly place: string
  readonly heads: TaxHeads
  readonly endorsement: string | null
}

/**
 * Says how a service is taxed. The place of supply is where the recipient is: by the GST number where there is one, else by
 * the address on record (IGST Act, section 12(2)); a recipient abroad is outside India. Supplies to SEZ and exports are
 * between states wherever the recipient is (sections 7 and 8), and go without tax under an undertaking (LUT).
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

/** A number of the centre's own jurisdiction begins with the code of no place: the address says it then. */
function placeOf(gstin: string | null, state: string | null): string {
  const ofNumber = gstin?.slice(0, 2)
  return ofNumber !== undefined && ofNumber in PLACES_OF_SUPPLY ? ofNumber : state!
}

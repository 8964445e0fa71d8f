/** By the code that a GST number starts with. 96 is a place of supply and never starts a number. */
export const GST_STATES: Readonly<Record<string, string>> = {
  '01': 'Jammu and Kashmir',
  '02': 'Himachal Pradesh',
  '03': 'Punjab',
  '04': 'Chandigarh',
  '05': 'Uttarakhand',
  '06': 'Haryana',
  '07': 'Delhi',
  '08': 'Rajasthan',
  '09': 'Uttar Pradesh',
  '10': 'Bihar',
  '11': 'Sikkim',
  '12': 'Arunachal Pradesh',
  '13': 'Nagaland',
  '14': 'Manipur',
  '15': 'Mizoram',
  '16': 'Tripura',
  '17': 'Meghalaya',
  '18': 'Assam',
  '19': 'West Bengal',
  '20': 'Jharkhand',
  '21': 'Odisha',
  '22': 'Chhattisgarh',
  '23': 'Madhya Pradesh',
  '24': 'Gujarat',
  '26': 'Dadra and Nagar Haveli and Daman and Diu',
  '27': 'Maharashtra',
  '29': 'Karnataka',
  '30': 'Goa',
  '31': 'Lakshadweep',
  '32': 'Kerala',
  '33': 'Tamil Nadu',
  '34': 'Puducherry',
  '35': 'Andaman and Nicobar Islands',
  '36': 'Telangana',
  '37': 'Andhra Pradesh',
  '38': 'Ladakh',
  '97': 'Other territory',
  '99': 'Centre jurisdiction',
}

/** States with their codes in ascending order. The record itself lists 10 before 01, because 10 is an array index. */
export const statesByCode = (states: Readonly<Record<string, string>>): (readonly [code: string, name: string])[] =>
  Object.entries(states).toSorted(([a], [b]) => Number(a) - Number(b))

/**
 * Codes of the states by the first digit of their PIN codes. Source: the PIN codes in the master codes of GST e-invoices,
 * as in `STATE_PINCODE_MAPPING` of resilient-tech/india-compliance; Puducherry has 533 and 605. They omit Telangana and
 * Ladakh, which the table in gkburst.blogspot.com/2023/08/postal-zones-in-india.html has. The first digit 9 belongs to the Army Postal Service, which has post offices in all states.
 */
const STATES_BY_PIN: Readonly<Record<string, string>> = {
  '1': '01 02 03 04 06 07 38',
  '2': '05 09',
  '3': '08 24 26',
  '4': '22 23 27 30',
  '5': '29 34 36 37',
  '6': '31 32 33 34',
  '7': '11 12 13 14 15 16 17 18 19 21 35',
  '8': '10 20',
}
const STATES_WITH_PINS = new Set(Object.values(STATES_BY_PIN).flatMap((codes) => codes.split(' ')))

/**
 * Returns the sentence for a PIN code that is certainly in another state, or null. The first digit decides, so that
 * neighbouring states are not told apart.
 */
export function pinProblem(pin: string | null, state: string | null): string | null {
  if (pin === null || state === null || !STATES_WITH_PINS.has(state)) return null
  const isElsewhere = STATES_BY_PIN[pin.charAt(0)]?.split(' ').includes(state) === false
  return isElsewhere ? `The PIN code ${pin} is not in ${GST_STATES[state]!}. Correct the PIN code or the state.` : null
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'

/** Phrase that follows the field's name, or null. Checks only shape, state and check digit. */
export function gstProblem(gst: string): string | null {
  if (!/^\d{2}[0-9A-Z]{13}$/.test(gst)) return 'must be 15 letters and digits, beginning with the code of a state'
  if (GST_STATES[gst.slice(0, 2)] === undefined)
    return `must begin with the code of a state, and ${gst.slice(0, 2)} is not one`
  if (gst.at(-1) !== checkDigitOf(gst.slice(0, -1)))
    return 'must have the correct check digit: its last character does not match the others'
  return null
}

/** Characters are weighted 1, 2, 1, 2 and so on; the two base-36 digits of each product are summed. */
function checkDigitOf(first14: string): string {
  const sum = [...first14].reduce((before, character, place) => {
    const product = DIGITS.indexOf(character) * (place % 2 === 0 ? 1 : 2)
    return before + Math.floor(product / 36) + (product % 36)
  }, 0)
  return DIGITS[(36 - (sum % 36)) % 36]!
}

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

export const GST_LENGTH = 15
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

/** Rounds a fraction half up. Independent of the code under test, which divides whole paise. */
export function nearest(numerator: bigint, denominator: bigint): bigint {
  const [whole, rest] = [numerator / denominator, numerator % denominator]
  return rest * 2n >= denominator ? whole + 1n : whole
}

const UNDER_TWENTY =
  ' One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  )
const TENS = ['', '', 'Twenty', 'Thirty', 'Forty', 'Fifty', 'Sixty', 'Seventy', 'Eighty', 'Ninety']
const two = (digits: string) =>
  Number(digits) < 20
    ? UNDER_TWENTY[Number(digits)]!
    : [TENS[Number(digits[0])], UNDER_TWENTY[Number(digits[1])]].filter((word) => word !== '').join('-')

/** Reads the digit groups of the Indian notation, for example 12,34,56,789. Supports amounts below 100 crore. */
export function wordsOf(paise: bigint): string {
  const digits = String(paise).padStart(11, '0')
  const [crore, lakh, thousand] = [digits.slice(0, 2), digits.slice(2, 4), digits.slice(4, 6)]
  const parts = [
    crore === '00' ? '' : `${two(crore)} Crore`,
    lakh === '00' ? '' : `${two(lakh)} Lakh`,
    thousand === '00' ? '' : `${two(thousand)} Thousand`,
    digits[6] === '0' ? '' : `${two(`0${digits[6]}`)} Hundred`,
    two(digits.slice(7, 9)),
  ].filter((part) => part !== '')
  const name = paise / 100n === 1n ? 'Rupee' : 'Rupees'
  const rest = digits.slice(9)
  const below = rest === '00' ? '' : `${two(rest)} ${rest === '01' ? 'Paisa' : 'Paise'}`
  if (below !== '' && parts.length === 0) return `${below} Only`
  const whole = `${name} ${parts.length === 0 ? 'Zero' : parts.join(' ')}`
  return `${whole}${below === '' ? '' : ` and ${below}`} Only`
}

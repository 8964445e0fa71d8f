const SMALL =
  'Zero One Two Three Four Five Six Seven Eight Nine Ten Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen'.split(
    ' ',
  )
const TENS = '- - Twenty Thirty Forty Fifty Sixty Seventy Eighty Ninety'.split(' ')

/** Units, largest first. Crore repeats: One Lakh Crore. */
const UNITS = [
  [10_000_000, 'Crore'],
  [100_000, 'Lakh'],
  [1_000, 'Thousand'],
  [100, 'Hundred'],
] as const

/** Returns an amount in words, such as Rupees One Lakh Five and Fifty Paise Only. */
export function amountInWords(amount: number): string {
  const [rupees, rest] = [Math.floor(amount / 100), amount % 100]
  const paise = rest === 0 ? '' : `${words(rest)} ${rest === 1 ? 'Paisa' : 'Paise'}`
  if (rupees === 0 && rest > 0) return `${paise} Only`
  return `${rupees === 1 ? 'Rupee' : 'Rupees'} ${words(rupees)}${paise === '' ? '' : ` and ${paise}`} Only`
}

function words(count: number): string {
  for (const [size, name] of UNITS) {
    if (count < size) continue
    const rest = count % size
    return `${words(Math.floor(count / size))} ${name}${rest === 0 ? '' : ` ${words(rest)}`}`
  }
  if (count < 20) return SMALL[count]!
  return count % 10 === 0 ? TENS[count / 10]! : `${TENS[Math.floor(count / 10)]}-${SMALL[count % 10]}`
}

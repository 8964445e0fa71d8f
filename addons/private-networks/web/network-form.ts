import { isPrivatePrefix, RANGES_MAX } from '@trainyard/platform/contract/words/network.ts'

/**
 * Returns the entered address ranges, which are separated by spaces, commas or lines; or a message about the first
 * problem.
 */
export function rangesIn(entered: string): { readonly ranges: string[] } | { readonly problem: string } {
  const ranges = entered.split(/[\s,]+/).filter((range) => range !== '')
  if (ranges.length === 0) return { problem: 'Enter at least one address range, such as 10.20.0.0/16.' }
  if (ranges.length > RANGES_MAX) return { problem: `Enter at most ${RANGES_MAX} address ranges.` }
  const wrong = ranges.find((range) => !isPrivatePrefix(range))
  if (wrong === undefined) return { ranges }
  return { problem: `${wrong} is not a private address range such as 10.20.0.0/16, which starts on its boundary.` }
}

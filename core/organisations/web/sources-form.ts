import { isPrefix, RANGES_MAX } from '@trainyard/platform/contract/words/network.ts'

const partsOf = (entered: string): string[] => entered.split(/[\s,]+/).filter((part) => part !== '')

/** Returns the entered address ranges; null if there are none. */
export function readSources(entered: string): string[] | null {
  const parts = partsOf(entered)
  return parts.length === 0 ? null : parts
}

/** Returns what is wrong with the entered address ranges; null if nothing is. */
export function sourcesProblem(entered: string): string | null {
  const parts = partsOf(entered)
  if (parts.length > RANGES_MAX) return `Enter at most ${RANGES_MAX} address ranges.`
  const wrong = parts.find((part) => !isPrefix(part))
  return wrong === undefined ? null : `${wrong} is not an address range such as 203.0.113.0/24.`
}

import { type Finding, green, red } from './check.ts'

/** Tolerance in seconds. Tokens and signatures tolerate far more, and network latency is far less. */
const SECONDS = 10

/**
 * Compares a provider's clock with the portal's clock, which was read before and after it. `theirs` may be truncated to
 * whole seconds.
 */
export function clockFinding(
  whose: string,
  theirs: Date,
  { asked, answered }: { readonly asked: number; readonly answered: number },
): Finding {
  const early = (asked - theirs.getTime() - 1000) / 1000
  const late = (theirs.getTime() - answered) / 1000
  const off = Math.max(early, late, 0)
  if (off <= SECONDS) return green(`${whose} matches this machine's clock.`)
  return red(
    `${whose} is ${Math.round(off)} s ${late > 0 ? 'ahead of' : 'behind'} this machine's clock.`,
    'Synchronise both clocks with NTP (timedatectl set-ntp true). Bills, sessions and signatures depend on them.',
  )
}

export async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly asked: number; readonly answered: number }> {
  const asked = Date.now()
  const result = await work()
  return { result, asked, answered: Date.now() }
}

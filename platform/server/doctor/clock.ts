import { type Finding, green, red } from './check.ts'

/** Tolerance in seconds. Tokens and signatures tolerate far more, and network latency is far less. */
const SECONDS = 10

/**
 * Compares a provider's clock with the portal's clock, which was read before and after it. `otherTime` may be truncated to
 * whole seconds.
 */
export function clockFinding(
  owner: string,
  otherTime: Date,
  { asked, answered }: { readonly asked: number; readonly answered: number },
): Finding {
  const secondsBehind = (asked - otherTime.getTime() - 1000) / 1000
  const secondsAhead = (otherTime.getTime() - answered) / 1000
  const off = Math.max(secondsBehind, secondsAhead, 0)
  if (off <= SECONDS) return green(`${owner} matches this machine's clock.`)
  return red(
    `${owner} is ${Math.round(off)} s ${secondsAhead > 0 ? 'ahead of' : 'behind'} this machine's clock.`,
    'Synchronise both clocks with NTP (timedatectl set-ntp true). Bills, sessions and signatures depend on them.',
  )
}

export async function timed<T>(
  callback: () => Promise<T>,
): Promise<{ readonly result: T; readonly asked: number; readonly answered: number }> {
  const asked = Date.now()
  const result = await callback()
  return { result, asked, answered: Date.now() }
}

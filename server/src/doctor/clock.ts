import { type Finding, green, red } from './check.ts'

/** Seconds that a clock may differ: far less than what tokens and signatures bear, far more than a slow line makes. */
const SECONDS = 10

/** Compares a clock that was read between two instants of ours. `theirs` may be cut to whole seconds. */
export function clockFinding(
  whose: string,
  theirs: Date,
  { asked, answered }: { readonly asked: number; readonly answered: number },
): Finding {
  const early = (asked - theirs.getTime() - 1000) / 1000
  const late = (theirs.getTime() - answered) / 1000
  const off = Math.max(early, late, 0)
  if (off <= SECONDS) return green(`${whose} and this machine agree.`)
  return red(
    `${whose} is ${Math.round(off)} s ${late > 0 ? 'ahead of' : 'behind'} this machine's clock.`,
    'Set the clock of both by NTP (timedatectl set-ntp true): bills, sessions and signatures go by it.',
  )
}

/** Runs something and says between which instants of this machine it ran. */
export async function timed<T>(
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly asked: number; readonly answered: number }> {
  const asked = Date.now()
  const result = await work()
  return { result, asked, answered: Date.now() }
}

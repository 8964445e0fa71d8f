import { CloudError } from '../providers/errors.ts'
import { type Check, type Finding, red, type Result } from './check.ts'

const LIMIT_MS = 20_000

export function examine(checks: readonly Check[]): Promise<Result[]> {
  const results = new Map<Check, Promise<Result>>()
  const resultOf = (check: Check): Promise<Result> => {
    const cached = results.get(check)
    if (cached !== undefined) return cached
    const result = runCheck(check, resultOf)
    results.set(check, result)
    return result
  }
  return Promise.all(checks.map(resultOf))
}

async function runCheck(check: Check, resultOf: (check: Check) => Promise<Result>): Promise<Result> {
  for (const needed of check.needs ?? []) {
    const { state } = await resultOf(needed)
    if (state === 'green') continue
    const { group, name } = needed
    return state === 'not used'
      ? { check, state, what: `${group}: ${name} is not used.` }
      : { check, state: 'not run', what: `Requires "${group}: ${name}".` }
  }
  return { check, ...(await findingOf(check)) }
}

async function findingOf({ run, limit = LIMIT_MS, otherwise, unanswered = otherwise }: Check): Promise<Finding> {
  const signal = AbortSignal.timeout(limit)
  const late = new Promise<Finding>((resolve) => {
    signal.addEventListener('abort', () => resolve(red(`No response within ${limit / 1000} s.`, unanswered)))
  })
  try {
    return await Promise.race([run(signal), late])
  } catch (error) {
    const nobody = error instanceof CloudError && error.kind === 'unreachable'
    return red(error instanceof Error ? error.message : String(error), nobody ? unanswered : otherwise)
  }
}

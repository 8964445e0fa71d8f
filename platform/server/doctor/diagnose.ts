import type { Check, Result } from './check.ts'
import { type Doctor, withoutSecrets } from './doctor.ts'
import { examine } from './run-checks.ts'

/** Result of a check, for a screen. */
export interface Diagnosis {
  readonly group: string
  readonly name: string
  readonly state: Result['state']
  readonly findings: readonly { readonly what: string; readonly todo: string | null }[]
}

const LENGTH = 1_000

/** Runs checks, those included on which they depend, and returns the results of the chosen ones without secrets. */
export async function diagnose(doctor: Doctor, isChosen: (check: Check) => boolean): Promise<Diagnosis[]> {
  const shown = (text: string) =>
    withoutSecrets(text, doctor.secrets)
      .replaceAll(/[\s\p{C}]+/gu, ' ')
      .slice(0, LENGTH)
  try {
    const results = await examine(doctor.checks.filter(isChosen))
    return results.map((result) => {
      const { check, state } = result
      const findings =
        result.state === 'red'
          ? result.problems.map(({ what, todo }) => ({ what: shown(what), todo: shown(todo) }))
          : [{ what: shown(result.what), todo: null }]
      return { group: check.group, name: check.name, state, findings }
    })
  } finally {
    await doctor.close()
  }
}

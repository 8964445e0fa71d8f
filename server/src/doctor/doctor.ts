import type { Check } from './check.ts'
import { examine } from './examine.ts'
import { asJson, asTable, isWell } from './report.ts'

/** The doctor's checks, and the secrets it must never say. */
export interface Doctor {
  readonly checks: readonly Check[]
  /** Values that are secret: they are cut out of whatever somebody at the far end may quote. */
  readonly secrets: readonly string[]
  close(): Promise<void>
}

interface Telling {
  say(text: string): void
  /** Tells who asked wrongly how it is to be asked. */
  complain(sentence: string): void
}

/** Looks at everything once and says what was found. Returns the exit code: 0 when all is well. */
export async function runDoctor(doctor: Doctor, args: readonly string[], { say, complain }: Telling): Promise<number> {
  const unknown = args.find((arg) => arg !== '--json')
  if (unknown !== undefined) {
    complain(`The doctor knows --json, and no ${unknown}: npm run doctor [-- --json]`)
    return 2
  }
  try {
    const results = await examine(doctor.checks)
    const said = args.includes('--json') ? asJson(results) : asTable(results)
    say(withoutSecrets(said, doctor.secrets))
    return isWell(results) ? 0 : 1
  } finally {
    await doctor.close()
  }
}

/** The text as it may be shown; a short value is no secret worth the name and would cut words to pieces. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .filter(({ length }) => length >= 6)
    .reduce((shown, secret) => shown.replaceAll(secret, '(secret)'), text)
}

import type { Check } from './check.ts'
import { examine } from './run-checks.ts'
import { asJson, asTable, allChecksPass } from './report.ts'

export interface Doctor {
  readonly checks: readonly Check[]
  readonly secrets: readonly string[]
  close(): Promise<void>
}

interface DoctorOutput {
  logMessage(text: string): void
  complain(sentence: string): void
}

export async function runDoctor(
  doctor: Doctor,
  args: readonly string[],
  { logMessage, complain }: DoctorOutput,
): Promise<number> {
  const unknown = args.find((arg) => arg !== '--json')
  if (unknown !== undefined) {
    complain(`Unknown option ${unknown}. Usage: npm run doctor [-- --json]`)
    return 2
  }
  try {
    const results = await examine(doctor.checks)
    const output = args.includes('--json') ? asJson(results) : asTable(results)
    logMessage(withoutSecrets(output, doctor.secrets))
    return allChecksPass(results) ? 0 : 1
  } finally {
    await doctor.close()
  }
}

/**
 * Replaces secrets in a text, also those in base64, as a mail server receives a login and may repeat it. Shorter values
 * than 6 characters are not replaced, because they would match parts of words.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  const known = secrets.filter(({ length }) => length >= 6)
  return known
    .flatMap((secret) => [secret, encodeURIComponent(secret)])
    .reduce((masked, secret) => masked.replaceAll(secret, '(secret)'), text)
    .replaceAll(/[\w+/-]{8,}={0,2}/g, (word) =>
      known.some((secret) => Buffer.from(word, 'base64').includes(secret)) ? '(secret)' : word,
    )
}

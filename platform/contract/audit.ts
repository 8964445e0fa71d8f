const REFUSALS: Readonly<Record<string, string>> = {
  signedOut: 'wrong sign-in',
  forbidden: 'not allowed',
  notFound: 'not found',
  tooMany: 'too many attempts',
  secondFactor: 'second factor not given',
  secondFactorDue: 'second factor not set up',
  passwordChange: 'password not changed yet',
  confirmFirst: 'identity not confirmed',
  closed: 'outside the access window',
}

export const auditResult = (refused: string | null): string =>
  refused === null ? 'Done' : `Refused: ${REFUSALS[refused] ?? refused}`

/**
 * Returns an action as text. A call without a label changes nothing and is logged only if it was refused: "requested
 * machine list" for `machine.list`.
 * @param label undefined or the call itself if there is none
 */
export const auditText = (call: string, label: string | undefined): string =>
  label !== undefined && label !== call
    ? label
    : `requested ${call.replace('.', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)}`

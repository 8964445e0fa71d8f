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

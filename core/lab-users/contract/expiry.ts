/** Days before the expiry of a secret or certificate at which the portal shows a warning, also after it was hidden. */
export const EXPIRY_WARNINGS = [30, 7, 1] as const
export type ExpiryWarning = (typeof EXPIRY_WARNINGS)[number]

/** Returns the last warning that is due, or null if none is due yet. */
export const expiryWarning = (days: number): ExpiryWarning | null =>
  EXPIRY_WARNINGS.findLast((warning) => days < warning) ?? null

/** @param days whole days until the end, negative after it */
export function expiryText(what: string, days: number, endsOn: string): string {
  const when =
    days < 0 ? 'has expired' : days === 0 ? 'expires today' : `expires in ${days} ${days === 1 ? 'day' : 'days'}`
  return `${what} ${when} (${endsOn}).`
}

export const EXPIRY_ADVICE =
  'Create a new one (Entra, App registrations, Certificates & secrets), set it, restart, then remove the old one.'

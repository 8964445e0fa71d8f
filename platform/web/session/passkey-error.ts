const PIN = 'A security key needs a PIN or a fingerprint: set one in the settings of your browser or system.'

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys work only at the portal’s configured address.',
  // The authenticator cannot verify the user: https://www.w3.org/TR/webauthn-3/#sctn-op-make-cred, step 3.
  ConstraintError: PIN,
}

/**
 * Returns a message for a failed passkey operation. Browsers report few details, so that pages cannot find out which
 * passkeys a device has: most report a key without a PIN like a cancelled request.
 * @param otherwise message without further details
 */
export function passkeySentence(error: unknown, otherwise: string): string {
  const { name } = ((error as Error).cause ?? error) as Error
  return MESSAGES[name] ?? `${otherwise} ${PIN}`
}

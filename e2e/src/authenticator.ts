import type { Page } from '@playwright/test'

/**
 * Adds a virtual authenticator to the browser that confirms every request.
 * @param hasPin false for a security key without a PIN, which cannot verify the user
 */
export async function addAuthenticator(page: Page, hasPin = true): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: hasPin ? 'internal' : 'usb',
      hasResidentKey: true,
      hasUserVerification: hasPin,
      isUserVerified: hasPin,
      automaticPresenceSimulation: true,
    },
  })
}

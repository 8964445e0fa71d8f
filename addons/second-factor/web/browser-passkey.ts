import type { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { ShownError } from '@trainyard/platform/web/api/error.ts'
import { passkeySentence } from '@trainyard/platform/web/session/passkey-error.ts'

// Loaded on demand.
const load = () => import('@simplewebauthn/browser')

type NewOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type AnswerOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Message on the login page, where a user may have other ways to sign in. */
export const NO_PASSKEY = 'No passkey was used. Please try again, or sign in another way.'

const TRY_AGAIN = 'No passkey was used. Please try again.'

/**
 * Creates a passkey in the browser.
 * @param otherwise message for a failure without further details
 * @throws ShownError
 */
export async function createPasskey(options: object, otherwise = TRY_AGAIN) {
  const { startRegistration: make } = await load()
  return make({ optionsJSON: options as NewOptions }).then(toContractType, refuseWith(otherwise))
}

/**
 * Requests an assertion by a passkey from the browser.
 * @param otherwise message for a failure without further details
 * @throws ShownError
 */
export async function getPasskeyAssertion(options: object, otherwise = TRY_AGAIN) {
  const { startAuthentication: answer } = await load()
  return answer({ optionsJSON: options as AnswerOptions }).then(toContractType, refuseWith(otherwise))
}

/** Widens the library's type of `clientExtensionResults` to the contract's. */
const toContractType = <Answer extends { clientExtensionResults: object }>(answer: Answer) => ({
  ...answer,
  clientExtensionResults: { ...answer.clientExtensionResults } as Record<string, unknown>,
})

const refuseWith = (otherwise: string) => (error: unknown) => {
  throw new ShownError(passkeySentence(error, otherwise), { cause: error })
}

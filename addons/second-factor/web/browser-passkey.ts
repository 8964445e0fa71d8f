import type { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import { passkeySentence } from '@trainyard/platform/web/session/passkey-error.ts'

// Loaded on demand.
const load = () => import('@simplewebauthn/browser')

type NewOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type AnswerOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

/** Creates a passkey in the browser. @throws Error with a message for the user */
export async function createPasskey(options: object) {
  const { startRegistration: make } = await load()
  return make({ optionsJSON: options as NewOptions }).then(toContractType, refuse)
}

/** Requests an assertion by a passkey from the browser. @throws Error with a message for the user */
export async function getPasskeyAssertion(options: object) {
  const { startAuthentication: answer } = await load()
  return answer({ optionsJSON: options as AnswerOptions }).then(toContractType, refuse)
}

/** Widens the library's type of `clientExtensionResults` to the contract's. */
const toContractType = <Answer extends { clientExtensionResults: object }>(answer: Answer) => ({
  ...answer,
  clientExtensionResults: { ...answer.clientExtensionResults } as Record<string, unknown>,
})

function refuse(error: unknown): never {
  throw new Error(passkeySentence(error, 'No passkey was used. Please try again.'), { cause: error })
}

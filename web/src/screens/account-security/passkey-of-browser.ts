import type { startAuthentication, startRegistration } from '@simplewebauthn/browser'

// The library is loaded with the first passkey that is made or used.
const load = () => import('@simplewebauthn/browser')

type NewOptions = Parameters<typeof startRegistration>[0]['optionsJSON']
type AnswerOptions = Parameters<typeof startAuthentication>[0]['optionsJSON']

const SENTENCES: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device has a passkey for your account already.',
  SecurityError: 'Passkeys work only at the address that this portal is made for.',
}

/** Says in a sentence why a browser gave no passkey; it tells little, so that no page learns what is on a device. */
function inWords(error: unknown): Error {
  const { name } = ((error as Error).cause ?? error) as Error
  return new Error(SENTENCES[name] ?? 'No passkey was used. Please try again.', { cause: error })
}

/** Has the browser make a passkey. @throws Error with a sentence */
export async function newPasskey(options: object) {
  const { startRegistration: make } = await load()
  return make({ optionsJSON: options as NewOptions }).then(plain, refuse)
}

/** Has the browser answer with a passkey. @throws Error with a sentence */
export async function passkeyAnswer(options: object) {
  const { startAuthentication: answer } = await load()
  return answer({ optionsJSON: options as AnswerOptions }).then(plain, refuse)
}

/** The library's types of what is only passed on say less than the contract's. */
const plain = <Answer extends { clientExtensionResults: object }>(answer: Answer) => ({
  ...answer,
  clientExtensionResults: { ...answer.clientExtensionResults } as Record<string, unknown>,
})

function refuse(error: unknown): never {
  throw inWords(error)
}

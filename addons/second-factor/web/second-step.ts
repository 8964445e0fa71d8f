import { startAuthentication, startRegistration } from '@simplewebauthn/browser'
import type { SecondFactorMethod } from '@trainyard/platform/contract/words/sign-in.ts'
import { passkeySentence } from '@trainyard/platform/web/session/passkey-error.ts'
import { onSubmit, post, showBanner } from '@trainyard/users/web/sign-in/form.ts'

// Loaded on demand by the login page and the page of a registration link.

type Reply = Record<string, string>
type Enter = (reply: Reply) => void
type Options = Parameters<typeof startAuthentication>[0]['optionsJSON']
type NewOptions = Parameters<typeof startRegistration>[0]['optionsJSON']

interface SecondStep {
  readonly challenge: string
  readonly ways: readonly SecondFactorMethod[]
  readonly passkey: Options | null
}

const NO_PASSKEY = 'No passkey was used. Please try again, or sign in another way.'

/** Requests an assertion from the browser; returns a message for the user if the browser returns no assertion. */
async function requestAssertion(optionsJSON: Options): Promise<{ assertion: object } | { sentence: string }> {
  try {
    return { assertion: await startAuthentication({ optionsJSON }) }
  } catch (error) {
    return { sentence: passkeySentence(error, NO_PASSKEY) }
  }
}

export async function signInWithPasskey(login: HTMLFormElement, enter: Enter): Promise<void> {
  const path = `${login.action}/passkey`
  const begun = await post(`${path}/challenge`)
  if (!begun.ok) return showBanner(begun.reply['message'] ?? '', login)
  const { challenge, options } = begun.reply as unknown as { challenge: string; options: Options }
  const answer = await requestAssertion(options)
  if ('sentence' in answer) return showBanner(answer.sentence, login)
  const { ok, reply } = await post(path, { challenge, assertion: answer.assertion })
  if (ok) enter(reply)
  else showBanner(reply['message'] ?? '', login)
}

/**
 * Creates the passkey of a new user in the browser.
 * @returns the challenge with its answer, or a message for the user
 */
export async function createFirstPasskey(
  path: string,
  token: string,
): Promise<{ challenge: string; attestation: object } | { sentence: string }> {
  const begun = await post(path, { token })
  if (!begun.ok) return { sentence: begun.reply['message'] ?? '' }
  const { challenge, options } = begun.reply as unknown as { challenge: string; options: NewOptions }
  try {
    return { challenge, attestation: await startRegistration({ optionsJSON: options }) }
  } catch (error) {
    return { sentence: passkeySentence(error, 'No passkey was created. Please try again, or choose a password.') }
  }
}

const FIELD = {
  totp: {
    label: 'Code from your authenticator app',
    attributes: { inputMode: 'numeric', autocomplete: 'one-time-code', placeholder: '' },
    other: 'Use a recovery code',
  },
  recovery: {
    label: 'Recovery code',
    attributes: { inputMode: 'text', autocomplete: 'off', placeholder: 'XXXX-XXXX-XXXX-XXXX-XXXX-XXXX' },
    other: 'Use the authenticator app',
  },
} as const
type CodeWay = keyof typeof FIELD

export function askSecondStep(login: HTMLFormElement, reply: Reply, enter: Enter): void {
  const { challenge, ways, passkey } = reply as unknown as SecondStep
  const form = document.createElement('form')
  form.innerHTML = `<h2>Confirm that it is you</h2>
    <p role="alert" class="banner" hidden></p>
    <label><span></span><input name="code" required autocapitalize="characters" spellcheck="false"></label>
    <button data-busy="Confirming...">Confirm</button>
    <button type="button" class="plain" name="passkey">Use a passkey</button>
    <button type="button" class="plain" name="other"></button>
    <button type="button" class="plain" name="back">Back to the password</button>`
  const part = <E extends HTMLElement>(selector: string) => form.querySelector<E>(selector)!
  const input = part<HTMLInputElement>('input')
  const codeWays = (['totp', 'recovery'] as const).filter((way) => ways.includes(way))

  const back = (sentence: string) => {
    form.remove()
    login.hidden = false
    showBanner(sentence, login)
    login.querySelector<HTMLInputElement>('[name=password]')!.select()
  }
  const send = async (answer: object) => {
    const sent = await post(`${login.action}/second`, { challenge, ...answer })
    if (sent.ok) return enter(sent.reply)
    const sentence = sent.reply['message'] ?? ''
    // The challenge has ended, so the user starts again with the password.
    if (sent.reply['code'] === 'signedOut') return back(sentence)
    showBanner(sentence, form)
    input.select()
  }
  const withPasskey = async () => {
    showBanner('', form)
    const answer = await requestAssertion(passkey!)
    if ('sentence' in answer) showBanner(answer.sentence, form)
    else await send(answer)
  }
  let shown: CodeWay = codeWays[0] ?? 'recovery'
  const show = (way: CodeWay) => {
    part('label span').textContent = FIELD[way].label
    Object.assign(input, FIELD[way].attributes, { value: '' })
    shown = way
    part('[name=other]').hidden = codeWays.length < 2
    part('[name=other]').textContent = FIELD[way].other
    input.focus()
  }

  onSubmit(form, () => send({ code: input.value }), form)
  part('[name=passkey]').hidden = !ways.includes('passkey')
  part('[name=passkey]').addEventListener('click', () => void withPasskey())
  part('[name=other]').addEventListener('click', () => show(shown === 'totp' ? 'recovery' : 'totp'))
  part('[name=back]').addEventListener('click', () => back(''))
  login.hidden = true
  login.after(form)
  show(shown)
  // The passkey is requested at once if the user has no authenticator app.
  if (!ways.includes('totp') && ways.includes('passkey')) void withPasskey()
}
